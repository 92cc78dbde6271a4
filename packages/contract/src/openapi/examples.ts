import type { EndpointExample } from '../endpoint.ts'
import { ERROR_HELP } from '../error-help.ts'

/** Returns the `examples` of a part of an operation; nothing if no example has this part. */
export function examplesOf(examples: readonly EndpointExample[], partOf: (example: EndpointExample) => unknown): object {
  const given = examples.flatMap((example) => {
    const value = partOf(example)
    return value === undefined ? [] : [[example.summary, { summary: example.summary, value }]]
  })
  return given.length === 0 ? {} : { examples: Object.fromEntries(given) }
}

/** Returns an example of each error, by code. */
export function errorExamples(): Readonly<Record<string, object>> {
  const request_id = '019ac2f4-6c1e-7d0a-9f43-5b8e2c7a1d90'
  return Object.fromEntries(
    Object.entries(ERROR_HELP).map(([code, { meaning }]) => [
      code,
      { summary: code, value: { error: meaning, error_details: [], code, request_id } },
    ]),
  )
}

import { parseJson, writeJson } from '@onward/json'

type Shown = {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | null
}

/** Returns a request as it would be sent with HTTP/1.1, with its JSON indented. */
export function requestText({ method, url, headers, body }: Shown): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url}`, ...lines, ...(body === null ? [] : ['', indented(body)])].join('\n')
}

function indented(body: string): string {
  try {
    return writeJson(parseJson(body), 2)
  } catch {
    return body
  }
}

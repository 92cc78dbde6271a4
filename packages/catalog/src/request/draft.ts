import type { BodyType } from '../file/app-file.ts'
import type { Frame } from '../frame.ts'
import type { Credentials, OnwardRequest } from '../types.ts'
import { encodePairs, type Pair, toPairs } from './pairs.ts'

/** An onward request before the account's secrets are on it. `path` is encoded, below `origin`. */
type Draft = {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly query: readonly Pair[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly bodyType: BodyType
}

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

/** Adds the account's secrets and writes the request out. Throws URIError when a text in it is not well-formed. */
export function sealRequest(draft: Draft, frame: Frame, account: Credentials): OnwardRequest {
  const query = encodePairs([...draft.query, ...frame.signer.query(account)])
  const separator = draft.path.includes('?') ? '&' : '?'
  const url = new URL(`${draft.origin}${draft.path}${query === '' ? '' : separator + query}`)
  // Templates can't leave the origin; this keeps the account's secrets at home should one ever do so.
  if (url.origin !== draft.origin) throw new Error(`${frame.name}: a request left its origin`)
  const headers = { ...draft.headers, ...frame.signer.headers(account) }
  if (draft.body === undefined) return { method: draft.method, url: url.href, headers }
  return {
    method: draft.method,
    url: url.href,
    headers: { 'content-type': contentTypes[draft.bodyType], ...headers },
    body: writeBody(draft.body, draft.bodyType),
  }
}

function writeBody(body: unknown, type: BodyType): string {
  if (type === 'json') return JSON.stringify(body)
  return encodePairs(Object.entries(body as object).flatMap(([key, value]) => toPairs(key, value)))
}

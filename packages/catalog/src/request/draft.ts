import type { Signer } from '../auth/compile-signer.ts'
import type { Credentials, OnwardRequest } from '../types.ts'
import { encodePairs, type Pair } from './pairs.ts'
import type { Payload } from './payload.ts'

/** An onward request before the account's secrets are on it. `path` is encoded, below `origin`, and may have a query. */
type Draft = {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly query: readonly Pair[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Payload | undefined
}

/** Adds the account's secrets and writes the request out. Throws URIError when a text in it is not well-formed. */
export function sealRequest(draft: Draft, signer: Signer, account: Credentials): OnwardRequest {
  const query = encodePairs([...draft.query, ...signer.query(account)])
  const separator = draft.path.includes('?') ? '&' : '?'
  const url = new URL(`${draft.origin}${signer.path(account)}${draft.path}${query === '' ? '' : separator + query}`)
  // Templates can't leave the origin; this keeps the account's secrets at home should one ever do so.
  if (url.origin !== draft.origin) throw new Error('a request left its origin')
  const { body } = draft
  const headers = { ...draft.headers, ...signer.headers(account) }
  if (body === undefined) return { method: draft.method, url: url.href, headers }
  const typed = body.fixed ? { ...headers, 'content-type': body.contentType } : { 'content-type': body.contentType, ...headers }
  return { method: draft.method, url: url.href, headers: typed, body: body.content }
}

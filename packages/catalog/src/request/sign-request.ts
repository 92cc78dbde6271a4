import type { Signer } from '../auth/scheme-kind.ts'
import { encodePairs, type Pair } from '../template/encoding.ts'
import type { BuiltRequest, Credentials, OnwardRequest } from '../types.ts'
import type { Payload } from './payload.ts'

/** An onward request before the account's secrets are added. `path` is encoded and may have a query. */
type Draft = {
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly query: readonly Pair[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Payload | undefined
}

/** Adds the account's secrets to a request. Throws URIError when a text in it is not well-formed. */
export function signRequest(draft: Draft, signer: Signer, account: Credentials): OnwardRequest {
  const query = encodePairs([...draft.query, ...signer.query(account)])
  const separator = draft.path.includes('?') ? '&' : '?'
  const url = new URL(`${draft.origin}${signer.path(account)}${draft.path}${query === '' ? '' : separator + query}`)
  // No template can change the origin. Should one do it because of a bug, the account's secrets must not be sent there.
  if (url.origin !== draft.origin) throw new Error('the URL of a signed request has an unexpected origin')
  const { body } = draft
  const headers: Record<string, string> = Object.assign({}, draft.headers, signer.headers(account))
  if (body === undefined) return { method: draft.method, url: url.href, headers }
  const typed = body.fixed ? Object.assign(headers, { 'content-type': body.contentType }) : { 'content-type': body.contentType, ...headers }
  return { method: draft.method, url: url.href, headers: typed, body: body.content }
}

/** Runs `build`. If it throws because UTF-8 cannot encode a text (half of a surrogate pair), returns a problem of that argument. */
export function refuseMalformed(args: Readonly<Record<string, unknown>>, build: () => BuiltRequest): BuiltRequest {
  try {
    return build()
  } catch (err) {
    if (!(err instanceof URIError)) throw err
    const names = Object.keys(args).filter((name) => isMalformed(args[name]))
    return { problems: (names.length > 0 ? names : ['_cursor']).map((name) => `${name}: is not well-formed text`) }
  }
}

function isMalformed(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => isMalformed(key) || isMalformed(item))
}

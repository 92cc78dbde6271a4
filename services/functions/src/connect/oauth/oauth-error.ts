/**
 * What an authorization server did not give. `denied`: the user said no; `invalid`: the server refused, or its answer is none;
 * `unreachable`: it can't be reached or is out of order for now.
 */
export type OAuthErrorKind = 'denied' | 'invalid' | 'unreachable'

/** `message` can be shown to the user: it holds no secret. `code` is the server's error code, where there is one. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly kind: OAuthErrorKind
  readonly code: string | null

  constructor(kind: OAuthErrorKind, message: string, code: string | null = null) {
    super(message)
    this.kind = kind
    this.code = code
  }
}

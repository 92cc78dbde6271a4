import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError, UnsupportedOperationError } from 'oauth4webapi'
import { textRedactor } from './redact-text.ts'

/**
 * `denied`: the user did not grant access. `invalid`: the server refused the request or sent an invalid response. `unreachable`: the server
 * could not be reached or is temporarily out of order.
 */
type OAuthErrorKind = 'denied' | 'invalid' | 'unreachable'

/** A failure of an authorization server. `message` contains no secret and can be shown to the user. `code` is the server's error code. */
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

const MAX_MESSAGE = 200
/** Shorter secrets are not redacted: they would also match ordinary words. */
const MIN_SECRET = 6

/** Error codes that servers send instead of the standard `invalid_grant`. */
const SAME_AS_INVALID_GRANT = [
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_revoked',
  'token_expired',
  'interaction_required',
  'consent_required',
]
const TEMPORARY = ['temporarily_unavailable', 'server_error', 'slow_down', 'rate_limited', 'ratelimited', 'too_many_requests']

/** Converts an error of the OAuth library or of our HTTP client to an OAuthError without `secrets`. Returns any other error unchanged. */
export function oauthFailure(err: unknown, secrets: readonly string[]): unknown {
  if (err instanceof OAuthError) return new OAuthError(err.kind, safe(err.message, secrets), err.code)
  if (err instanceof AuthorizationResponseError) {
    const denied = /denied|cancel/.test(err.error)
    return new OAuthError(denied ? 'denied' : 'invalid', describe(err.error, err.error_description, secrets), err.error)
  }
  if (err instanceof ResponseBodyError) {
    const code = standardCode(err.error, err.error_description ?? '')
    const kind = TEMPORARY.includes(code) ? 'unreachable' : 'invalid'
    return new OAuthError(kind, describe(err.error, err.error_description, secrets), code)
  }
  if (err instanceof OperationProcessingError || err instanceof UnsupportedOperationError) {
    return new OAuthError('invalid', safe(err.message, secrets))
  }
  return err
}

/** Replaces control characters and line breaks by spaces, and cuts the text to `max` characters. */
export function oneLine(text: string, max: number): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, max)
}

/** Returns `invalid_grant` for the codes that servers send instead of it. */
function standardCode(error: string, description: string): string {
  // Atlassian sends this for a refresh token that is no longer valid.
  if (error === 'unauthorized_client' && /refresh.?token/i.test(description)) return 'invalid_grant'
  return SAME_AS_INVALID_GRANT.includes(error) ? 'invalid_grant' : error
}

function describe(error: string, description: string | undefined, secrets: readonly string[]): string {
  return safe(description === undefined ? error : `${error}: ${description}`, secrets)
}

function safe(text: string, secrets: readonly string[]): string {
  const redact = textRedactor(secrets.filter(({ length }) => length >= MIN_SECRET))
  return oneLine(redact(text), MAX_MESSAGE)
}

import { AuthorizationResponseError, OperationProcessingError, ResponseBodyError, UnsupportedOperationError } from 'oauth4webapi'
import { oneLine } from '../one-line.ts'
import { OAuthError } from './oauth-error.ts'

const MAX_MESSAGE = 200
/** Shorter texts are no secrets, and would redact innocent words. */
const MIN_SECRET = 6

/** Other names in use for a grant that is gone for good. */
const INVALID_GRANT = [
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_revoked',
  'token_expired',
  'interaction_required',
  'consent_required',
]
const FOR_NOW = ['temporarily_unavailable', 'server_error', 'slow_down', 'rate_limited', 'ratelimited', 'too_many_requests']

/** What the library or our client threw, as an OAuthError without any of the secrets; a bug stays what it is. */
export function oauthFailure(err: unknown, secrets: readonly string[]): unknown {
  if (err instanceof OAuthError) return new OAuthError(err.kind, safe(err.message, secrets), err.code)
  if (err instanceof AuthorizationResponseError) {
    const denied = /denied|cancel/.test(err.error)
    return new OAuthError(denied ? 'denied' : 'invalid', say(err.error, err.error_description, secrets), err.error)
  }
  if (err instanceof ResponseBodyError) {
    const code = codeOf(err.error, err.error_description ?? '')
    return new OAuthError(FOR_NOW.includes(code) ? 'unreachable' : 'invalid', say(err.error, err.error_description, secrets), code)
  }
  if (err instanceof OperationProcessingError || err instanceof UnsupportedOperationError) {
    return new OAuthError('invalid', safe(err.message, secrets))
  }
  return err
}

function codeOf(error: string, description: string): string {
  // Atlassian's word for a refresh token that is none any more.
  if (error === 'unauthorized_client' && /refresh.?token/i.test(description)) return 'invalid_grant'
  return INVALID_GRANT.includes(error) ? 'invalid_grant' : error
}

function say(error: string, description: string | undefined, secrets: readonly string[]): string {
  return safe(description === undefined ? error : `${error}: ${description}`, secrets)
}

/** On one line, without a secret of ours, and not longer than anyone reads. */
function safe(text: string, secrets: readonly string[]): string {
  const redacted = secrets
    .filter(({ length }) => length >= MIN_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
  return oneLine(redacted, MAX_MESSAGE)
}

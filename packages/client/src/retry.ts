import { ApiConnectionError, type ApiError } from './errors.ts'

/** The longest `Retry-After` that a request waits for. With a longer one, the caller gets the error at once, with `retryAfter`. */
export const MAX_RETRY_AFTER_SECONDS = 10

const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 8_000

/**
 * Returns whether to send a request again. `repeatable`: a second execution does no harm, because the request only reads, sets a value, or
 * carries an idempotency key. A 504 of a call is never repeated: the app may have acted.
 */
export function mayRetry(failure: ApiError | ApiConnectionError, repeatable: boolean): boolean {
  if (failure instanceof ApiConnectionError) return repeatable
  const wanted = failure.headers.get('x-should-retry')
  if (wanted !== null) return wanted === 'true'
  switch (failure.status) {
    case 409:
      return failure.code === 'idempotency_in_progress'
    case 429:
      return failure.code !== 'task_limit_reached'
    case 502:
      // Without a code, a proxy answered.
      return failure.code === null ? repeatable : failure.code === 'upstream_unreachable' || failure.code === 'token_renewal_failed'
    case 503:
      return repeatable
    default:
      return false
  }
}

/** Returns the pause in milliseconds before the attempt after `attempt`: what Onward asks for, or a random time that doubles each time. */
export function pauseMs(attempt: number, retryAfterSeconds: number | null): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000
  // Half of the pause is random, so that clients that failed at the same time do not all retry at the same time.
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

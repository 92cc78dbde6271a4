import { HOUR_MS } from '@onward/contract'
import { isSuccess, parseRetryAfter } from '@onward/runtime'

/** Maximum random change of a delay, as a fraction of it, so that receivers that failed together are not called together again. */
const JITTER = 0.2
/** The longest delay that a receiver can request with Retry-After. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** The response of a receiver: a status, or the reason why there was no complete response. */
export type ReceiverResponse = { readonly status: number; readonly retryAfter: string | undefined } | { readonly failure: string }

/** What to do after an attempt. `gone`: the receiver answered 410. `exhausted`: the last attempt has failed. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' }

/**
 * Returns what to do after the response to attempt number `attempt`, counted from 1. `retryDelaysMs` are the delays after the first attempt,
 * the second, and so on. `chance` is a random number in [0, 1).
 */
export function judge(response: ReceiverResponse, attempt: number, retryDelaysMs: readonly number[], now: Date, chance: number): Verdict {
  const status = 'status' in response ? response.status : 0
  if (isSuccess(status)) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const delay = retryDelaysMs[attempt - 1]
  if (delay === undefined) return { kind: 'exhausted' }
  const requested = 'status' in response ? (parseRetryAfter(response.retryAfter ?? '', now.getTime()) ?? 0) : 0
  const jittered = delay * (1 + JITTER * (2 * chance - 1))
  return { kind: 'retry', delayMs: Math.round(Math.max(jittered, Math.min(requested, MAX_RETRY_AFTER_MS))) }
}

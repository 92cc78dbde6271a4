const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** When webhooks are sent, and when we give up. */
export type Timing = {
  /** The wait before each attempt, counted from the end of the one before. */
  readonly delaysMs: readonly number[]
  /** The part of a wait that is left to chance, either way: receivers that failed together are not called together. */
  readonly jitter: number
  /** The longest wait that a receiver's Retry-After is granted. */
  readonly maxRetryAfterMs: number
  /** For connecting, sending and the answer together. */
  readonly deadlineMs: number
  /** A subscription whose deliveries all failed for so long is disabled. */
  readonly failingForMs: number
  /** How often the table is searched for what the queue has lost. */
  readonly sweepEveryMs: number
  /** How long a delivery may be due before its job counts as lost. */
  readonly overdueMs: number
  /** How often bulk changes are looked for whose notices are still to be sent. */
  readonly recheckEveryMs: number
}

/** The schedule that Standard Webhooks recommends. */
export const TIMING: Timing = {
  delaysMs: [0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  jitter: 0.2,
  maxRetryAfterMs: 24 * HOUR,
  deadlineMs: 15 * SECOND,
  failingForMs: 5 * 24 * HOUR,
  sweepEveryMs: 3 * SECOND,
  overdueMs: 10 * SECOND,
  recheckEveryMs: 500,
}

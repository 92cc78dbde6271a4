/** Attempts in flight in one process. */
export const MAX_IN_FLIGHT = 256
/** An attempt that takes longer is slow: it no longer counts towards `MAX_IN_FLIGHT`, so that slow receivers do not delay others. */
export const PROMPT_MS = 1_000
/** Maximum number of slow attempts allowed beyond `MAX_IN_FLIGHT`. */
export const MAX_SLOW = 2_048

/** Attempts in flight for one subscription in a process: before anything is known about its receiver, and at most. */
export const FIRST_CONCURRENCY = 2
const MAX_CONCURRENCY = 16

/** What an attempt showed about its receiver. `failure` is null when there was an answer, whatever its status. */
export type AttemptResult = { readonly failure: string | null; readonly durationMs: number }

/**
 * Returns the concurrency of a subscription after an attempt. A receiver that hangs or is unreachable gets one attempt at a time until it
 * answers. One that answers promptly gets more and more.
 */
export function nextConcurrency(concurrency: number, { failure, durationMs }: AttemptResult, promptMs: number): number {
  if (failure === 'timed_out' || failure === 'unreachable') return 1
  if (failure !== null) return concurrency
  if (durationMs <= promptMs) return Math.min(MAX_CONCURRENCY, concurrency + 1)
  return Math.max(FIRST_CONCURRENCY, Math.min(concurrency, MAX_CONCURRENCY / 4))
}

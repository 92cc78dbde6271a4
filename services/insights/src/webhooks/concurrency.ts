/** Maximum number of attempts in flight in one process, not counting slow ones. */
export const MAX_IN_FLIGHT = 512
/** An attempt that takes longer is slow: it no longer counts towards `MAX_IN_FLIGHT`, so that slow receivers do not delay others. */
export const PROMPT_MS = 1_000
/** Maximum number of slow attempts allowed beyond `MAX_IN_FLIGHT`. */
export const MAX_SLOW = 2_048

/** Concurrency is the number of attempts of one subscription that may be in flight in a process: at the start, and at most. */
export const FIRST_CONCURRENCY = 2
const MAX_CONCURRENCY = 16

/** The result of an attempt. `failure` is null when the receiver answered, whatever the status. */
export type AttemptResult = { readonly failure: string | null; readonly durationMs: number }

/**
 * Returns the concurrency of a subscription after an attempt. It becomes 1 if the receiver hangs or is unreachable, and grows by one after a
 * prompt response. After a slow response, it is at least 2 and at most 4. Other failures do not change it.
 */
export function nextConcurrency(concurrency: number, { failure, durationMs }: AttemptResult, promptMs: number): number {
  if (failure === 'timed_out' || failure === 'unreachable') return 1
  if (failure !== null) return concurrency
  if (durationMs <= promptMs) return Math.min(MAX_CONCURRENCY, concurrency + 1)
  return Math.max(FIRST_CONCURRENCY, Math.min(concurrency, MAX_CONCURRENCY / 4))
}

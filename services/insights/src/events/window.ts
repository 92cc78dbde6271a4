/** How many attempts of one subscription may be in flight in a process: before anything is known of it, and at most. */
export const FIRST_WINDOW = 2
const MAX_WINDOW = 16

/** What an attempt showed of its endpoint. `failure` is null where it was answered, with whatever status. */
export type Shown = { readonly failure: string | null; readonly durationMs: number }

/**
 * The window after an attempt. An endpoint that hangs, or can't be connected to, gets one attempt at a time, until one is answered;
 * one that answers promptly gets more and more.
 */
export function nextWindow(window: number, { failure, durationMs }: Shown, promptMs: number): number {
  if (failure === 'timed_out' || failure === 'unreachable') return 1
  if (failure !== null) return window
  return durationMs <= promptMs ? Math.min(MAX_WINDOW, window + 1) : Math.max(FIRST_WINDOW, Math.min(window, MAX_WINDOW / 4))
}

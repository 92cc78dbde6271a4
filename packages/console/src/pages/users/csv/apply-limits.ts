import { isTransient, OnwardError } from '../../../api/request.ts'
import type { NewLimit } from './read-limits.ts'

const WAIT_MS = 3000
/** Tries of one request that fails for another reason than too many requests. */
const MAX_TRIES = 4

type Options = {
  readonly signal: AbortSignal
  readonly waitMs?: number
  set(limits: readonly NewLimit[]): Promise<unknown>
  /** Called after each request with the number of its limits. */
  onSet(limits: number): void
  /** Called when a request must wait, because insights is busy, and when it goes on. */
  onWaiting(waiting: boolean): void
}

/**
 * Sets limits, one request after the other. Ends early when the signal is aborted. A request that fails for a moment is repeated, because
 * setting the same limits again changes nothing. Throws the error of a request that keeps failing.
 */
export async function applyLimits(chunks: readonly (readonly NewLimit[])[], options: Options): Promise<void> {
  for (const chunk of chunks) {
    if (options.signal.aborted || !(await setChunk(chunk, options))) return
    options.onSet(chunk.length)
  }
}

/** Returns false if the signal was aborted before a request worked. */
async function setChunk(chunk: readonly NewLimit[], { signal, waitMs = WAIT_MS, set, onWaiting }: Options): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const failure = await set(chunk).then(
      () => undefined,
      (err: unknown) => err,
    )
    if (failure === undefined) return true
    const again = failure instanceof OnwardError && isTransient(failure)
    if (!again || (failure.status !== 429 && tries >= MAX_TRIES)) throw failure
    onWaiting(true)
    await pause(waitMs, signal)
    onWaiting(false)
    if (signal.aborted) return false
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

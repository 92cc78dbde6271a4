import { Refusal } from './refusal.ts'

/**
 * Runs work with limited concurrency. Work above the limit waits in order, for at most `waitMs`. Throws `unavailable` (503) and does not
 * start the work if too much is waiting already, or if the wait takes too long.
 */
export type Gate = <T>(work: () => Promise<T>, waitMs: number) => Promise<T>

/** Opens a gate that runs at most `concurrency` pieces of work at once, while at most `maxWaiting` others wait. */
export function openGate(concurrency: number, maxWaiting: number): Gate {
  const waiting = new Set<() => void>()
  let free = concurrency

  function waitForTurn(waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(enter)
        reject(tooMany())
      }, waitMs)
      function enter(): void {
        clearTimeout(timer)
        waiting.delete(enter)
        resolve()
      }
      waiting.add(enter)
    })
  }

  return async (work, waitMs) => {
    if (free > 0) free--
    else if (waiting.size < maxWaiting) await waitForTurn(waitMs)
    else throw tooMany()
    try {
      return await work()
    } finally {
      const [next] = waiting
      // Start the next waiting work directly, so that new work cannot overtake it.
      if (next === undefined) free++
      else next()
    }
  }
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'too many requests of this kind are in progress; retry in a few seconds')
}

import { Refusal } from './refusal.ts'

/**
 * Runs work with limited concurrency. Further work waits in order, `waitMs` at most. Throws `unavailable` (503) without starting the work
 * if too much is waiting, or if the wait was too long.
 */
export type Gate = <T>(work: () => Promise<T>, waitMs: number) => Promise<T>

/** Opens a gate that runs `concurrency` pieces of work at once and lets `maxWaiting` wait. */
export function openGate(concurrency: number, maxWaiting: number): Gate {
  const waiting = new Set<() => void>()
  let free = concurrency

  function turn(waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(enter)
        reject(new Refusal('unavailable', 'too many such requests are in progress; retry in a few seconds'))
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
    else if (waiting.size >= maxWaiting) throw new Refusal('unavailable', 'too many such requests are in progress; retry in a few seconds')
    else await turn(waitMs)
    try {
      return await work()
    } finally {
      const [next] = waiting
      // Hand over to the next one in order, so that new work cannot overtake it.
      if (next === undefined) free++
      else next()
    }
  }
}

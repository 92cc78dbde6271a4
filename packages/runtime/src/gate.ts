import { Refusal } from './refusal.ts'

/**
 * Runs work, at most so many at once; so many more wait their turn, in order, `waitMs` at the longest. Throws `unavailable` (503) when that
 * is full too, or when the turn did not come: then the work was not begun.
 */
export type Gate = <T>(work: () => Promise<T>, waitMs: number) => Promise<T>

export function openGate(places: number, most: number): Gate {
  const waiting = new Set<() => void>()
  let free = places

  function turn(waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(enter)
        reject(new Refusal('unavailable', 'such requests wait too long just now; try again in a while'))
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
    else if (waiting.size >= most) throw new Refusal('unavailable', 'too many such requests are waiting; try again in a while')
    else await turn(waitMs)
    try {
      return await work()
    } finally {
      const [next] = waiting
      // A place is handed on, not freed: nobody who comes now can overtake.
      if (next === undefined) free++
      else next()
    }
  }
}

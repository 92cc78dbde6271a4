import { Refusal } from './refusal.ts'

/** Runs work, at most so many at once; so many more wait their turn, in order. Throws `unavailable` (503) when that is full too. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function openGate(places: number, most: number): Gate {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else if (waiting.length >= most) throw new Refusal('unavailable', 'too many such requests are waiting; try again in a while')
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // A place is handed on, not freed: nobody who comes now can overtake.
      if (next === undefined) free++
      else next()
    }
  }
}

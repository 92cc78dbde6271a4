/** Runs work, at most so many at once; the rest waits its turn, in order. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function openGate(places: number): Gate {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
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

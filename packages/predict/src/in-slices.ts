import { setImmediate } from 'node:timers/promises'

/** A computation that yields after every few milliseconds at most, so that other work can run in between. */
export type Steps<T> = Generator<void, T>

const SLICE_MS = 5

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Resolves when a computation may run for a few milliseconds. All computations of a process take turns, with a turn of the event loop
 * between any two. Without this, a hundred computations that begin together would block it for half a second.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

/** Runs a computation to its end at once, for training and tests. */
export function finish<T>(work: Steps<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Runs a long computation in slices of 5 ms. */
export async function inSlices<T>(work: Steps<T>): Promise<T> {
  for (;;) {
    await nextTurn()
    const begun = performance.now()
    do {
      const step = work.next()
      if (step.done === true) return step.value
    } while (performance.now() - begun < SLICE_MS)
  }
}

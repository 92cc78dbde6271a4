import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 5

/** Runs a long computation in slices of 5 ms, so that the event loop can handle other work in between. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (let begun = performance.now(); ; ) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - begun < SLICE_MS) continue
    await setImmediate()
    begun = performance.now()
  }
}

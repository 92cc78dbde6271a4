import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 5

/** Does work that takes long without holding the event loop: after each slice, what waits has its turn. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (let begun = performance.now(); ; ) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - begun < SLICE_MS) continue
    await setImmediate()
    begun = performance.now()
  }
}

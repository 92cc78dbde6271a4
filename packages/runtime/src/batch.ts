import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

export type Batch<T> = {
  /** Adds an item to the next flush. Resolves when that flush is done, or rejects with its error. */
  add(item: T): Promise<void>
  /** Resolves when no item is waiting and no flush is running. */
  idle(): Promise<void>
}

type Waiting<T> = { item: T; resolve: () => void; reject: (err: unknown) => void }

/**
 * Opens a group commit: while one flush is running, the next one collects items. There is no timer: an item waits only until the event loop
 * ends its iteration. `flush` receives at most `max` items, in the order in which they were added.
 */
export function openBatch<T>(max: number, flush: (items: readonly T[]) => Promise<void>): Batch<T> {
  let waiting: Waiting<T>[] = []
  let running: Promise<void> | null = null
  // A flush must not run in the trace of the item that happens to start it.
  const outside = AsyncLocalStorage.snapshot()

  async function run(): Promise<void> {
    for (;;) {
      // All items that are added in one iteration of the event loop share a flush.
      await setImmediate()
      if (waiting.length === 0) break
      const batch = waiting.slice(0, max)
      waiting = waiting.slice(max)
      try {
        await flush(batch.map(({ item }) => item))
        for (const { resolve } of batch) resolve()
      } catch (err) {
        for (const { reject } of batch) reject(err)
      }
    }
    running = null
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        running ??= outside(run)
      })
    },
    async idle() {
      while (running !== null) await running
    },
  }
}

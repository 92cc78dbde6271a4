/** Adds an item to the next flush. Resolves when that flush is done, rejects with its error. */
export type Batch<T> = {
  add(item: T): Promise<void>
  /** Resolves when nothing is waiting and nothing is in flight. */
  idle(): Promise<void>
}

type Waiting<T> = { item: T; resolve: () => void; reject: (err: unknown) => void }

/**
 * Natural group commit: while one flush is on its way, the next gathers. No timer, so that a lone item waits for nothing.
 * `flush` gets at most `max` items in the order in which they were added.
 */
export function openBatch<T>(max: number, flush: (items: readonly T[]) => Promise<void>): Batch<T> {
  let waiting: Waiting<T>[] = []
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    // One turn of the microtask queue lets callers of the same tick share the first flush.
    await Promise.resolve()
    while (waiting.length > 0) {
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
        running ??= run()
      })
    },
    async idle() {
      while (running !== null) await running
    },
  }
}

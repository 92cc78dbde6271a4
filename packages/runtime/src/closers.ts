/** The parts that were opened and must be closed. */
export type Closers = {
  /** Registers a part, and returns it. Whatever was registered before it is closed after it. */
  add<T>(part: T, close: (part: T) => unknown): T
  /** Closes all parts, the last first, even when a part fails to close. Then throws the first error. */
  close(): Promise<void>
}

/** Calls `open`, which registers each part that it opens. If it fails, closes the parts that are open, and throws its error. */
export async function openAll<T>(open: (closers: Closers) => Promise<T>): Promise<T> {
  const closers = openClosers()
  try {
    return await open(closers)
  } catch (err) {
    // The error of the failed start says more than one of a part that cannot be closed after it.
    await closers.close().catch(() => {})
    throw err
  }
}

function openClosers(): Closers {
  const pending: (() => unknown)[] = []
  return {
    add(part, close) {
      pending.push(() => close(part))
      return part
    },
    async close() {
      const errors: unknown[] = []
      for (let close = pending.pop(); close !== undefined; close = pending.pop()) {
        try {
          await close()
        } catch (err) {
          errors.push(err)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}

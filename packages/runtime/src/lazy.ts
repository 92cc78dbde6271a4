/** Returns a function that runs `open` on its first use, and again on the next use after a failure. Concurrent uses share one run. */
export function lazy<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined
  return async () => {
    opening ??= open()
    try {
      return await opening
    } catch (err) {
      opening = undefined
      throw err
    }
  }
}

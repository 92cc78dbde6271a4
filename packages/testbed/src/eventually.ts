/** Repeats a check until it does not throw, and returns its value. Throws the last error after `timeoutMs`: long enough for a slow machine. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 60_000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (err) {
      if (Date.now() > deadline) throw err
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

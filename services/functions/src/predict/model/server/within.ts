/**
 * The result of work that ends after `ms` at the latest, or when `outer` is aborted: its signal is aborted then, and this rejects
 * with the signal's reason, whether or not the work listens.
 */
export async function within<T>(ms: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.any of AbortSignal.timeout: Node 20 may collect the timeout before it fires.
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError')), ms)
  const pass = () => ending.abort(outer.reason)
  outer.addEventListener('abort', pass)
  if (outer.aborted) pass()
  const ended = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(ending.signal.reason)
    ending.signal.addEventListener('abort', stop)
    if (ending.signal.aborted) stop()
  })
  try {
    return await Promise.race([ended, work(ending.signal)])
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', pass)
  }
}

import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/**
 * How long idle connections stay open after a stop begins. Under load, each gets another request in this time, and its answer closes the
 * connection. A connection that is closed at once could lose a request that is on its way and that a gateway must not repeat.
 */
const GRACE_MS = 1_000
const SWEEP_MS = 50

/** Observes a server that does not listen yet, and returns the function that drains it. See `Listening.close`. */
export function drainer(server: Server): (drainMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  const pending = new Set<ServerResponse>()
  let closing = false

  function closeIdle(): void {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.prependListener('request', (_req, res) => {
    pending.add(res)
    res.once('close', () => pending.delete(res))
    if (closing) closeAfter(res)
  })

  return async (drainMs) => {
    closing = true
    // HTTP's own `close` would cut idle connections at once, and requests that are on their way with them.
    const closed = new Promise<void>((resolve) => afterPolling(() => NetServer.prototype.close.call(server, () => resolve())))
    for (const res of pending) closeAfter(res)
    const grace = performance.now() + Math.min(GRACE_MS, drainMs)
    const sweep = setInterval(() => {
      if (performance.now() >= grace) afterPolling(closeIdle)
    }, SWEEP_MS)
    // `closeIdleConnections` does not know connections that are still in the TLS handshake.
    const deadline = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), drainMs)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
    // HTTP's own `close` now only stops its timer for slow connections.
    server.close()
  }
}

/**
 * Runs `work` after the event loop has polled the network. Otherwise connections and requests that arrived while the process was busy, and
 * were not read yet, would be reset.
 */
function afterPolling(work: () => void): void {
  setTimeout(() => setImmediate(work), 0)
}

/** Closes a kept-alive connection after this answer. */
function closeAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close')
}

import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/**
 * How long idle connections stay open after a stop begins. Under load, each connection gets another request in this time, and the response to
 * it closes the connection. Closing an idle connection at once could lose a request in transit, which a gateway must not repeat.
 */
const GRACE_MS = 1_000
const SWEEP_MS = 50

/** Tracks the connections of a server that does not listen yet. Returns the function that drains it, see `Listening.close`. */
export function drainer(server: Server): (drainMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  /**
   * The pending response of each connection, and no set of pending responses: V8 keeps what is added to a Set or Map and removed all the time until
   * it collects the old generation.
   */
  const pending = new Map<Socket, ServerResponse | undefined>()
  let closing = false

  function closeIdle(): void {
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.prependListener('request', ({ socket }, res) => {
    if (!pending.has(socket)) socket.once('close', () => pending.delete(socket))
    pending.set(socket, res)
    res.once('close', () => {
      if (pending.get(socket) === res) pending.set(socket, undefined)
    })
    if (closing) closeAfter(res)
  })

  return async (drainMs) => {
    closing = true
    // `http.Server.close` would close idle connections at once and lose requests in transit. `net.Server.close` only stops accepting
    // connections.
    const closed = new Promise<void>((resolve) => afterPolling(() => NetServer.prototype.close.call(server, () => resolve())))
    for (const res of pending.values()) if (res !== undefined) closeAfter(res)
    const grace = performance.now() + Math.min(GRACE_MS, drainMs)
    const sweep = setInterval(() => {
      if (performance.now() >= grace) afterPolling(closeIdle)
    }, SWEEP_MS)
    // Destroy each socket, because the server's own methods skip connections that are still in the TLS handshake.
    const deadline = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), drainMs)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
    // No connection is left, so `http.Server.close` only stops its timer that looks for slow requests.
    server.close()
  }
}

/**
 * Runs `work` after the event loop has polled the network. Otherwise, connections and requests that arrived while the process was busy
 * would be reset before they are read.
 */
function afterPolling(work: () => void): void {
  setTimeout(() => setImmediate(work), 0)
}

/** Closes a kept-alive connection after this response. */
function closeAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close')
}

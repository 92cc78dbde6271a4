import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/**
 * For so long no idle connection is closed: under load each brings a request meanwhile, and its answer sends the caller off. One
 * closed at once may just be bringing a request, which a gateway rightly does not repeat.
 */
const GRACE_MS = 1_000
const SWEEP_MS = 50

/** Watches a server that does not listen yet, and gives what closes it in an orderly way. See `Listening.close`. */
export function drainer(server: Server): (drainMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  const inHand = new Set<ServerResponse>()
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
    inHand.add(res)
    res.once('close', () => inHand.delete(res))
    if (closing) sendOff(res)
  })

  return async (drainMs) => {
    closing = true
    // Not HTTP's own `close`: that one cuts idle connections at once, and with them requests that are on their way.
    const closed = new Promise<void>((resolve) => afterLooking(() => NetServer.prototype.close.call(server, () => resolve())))
    for (const res of inHand) sendOff(res)
    const grace = performance.now() + Math.min(GRACE_MS, drainMs)
    const sweep = setInterval(() => {
      if (performance.now() >= grace) afterLooking(closeIdle)
    }, SWEEP_MS)
    // Node counts no TLS handshake among its connections; at the end that one goes too.
    const deadline = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), drainMs)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
    // What is left of HTTP's own: it stops looking for connections that took too long.
    server.close()
  }
}

/**
 * Does something once the event loop has looked at the network: what came while the process was too busy to look, connections not
 * yet accepted and requests not yet read, would else be reset.
 */
function afterLooking(work: () => void): void {
  setTimeout(() => setImmediate(work), 0)
}

/** A kept-alive connection ends with this answer. */
function sendOff(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close')
}

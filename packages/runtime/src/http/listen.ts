import { createServer as createPlainServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { HSTS } from './check-request.ts'
import { drainer } from './drain.ts'

export type Tls = { readonly cert: string | Buffer; readonly key: string | Buffer }

export type Listening = {
  readonly url: string
  /** Accepts no new connections, lets requests in flight finish, and closes idle connections. Cuts off the rest after `drainMs`. */
  close(drainMs: number): Promise<void>
}

/**
 * A client that is slow, or that has disappeared, must not occupy a socket forever. One that sends a byte per second loses its connection
 * after 20 s in the headers, and after 60 s in the body. The number of requests on one connection is not limited, because the gateway sends all of its requests over few.
 */
const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  keepAlive: true,
  keepAliveInitialDelay: 5_000,
} as const

/** Further connections are closed at once. An idle connection takes about 10 kB of memory. */
const MAX_CONNECTIONS = 5_000

/**
 * How long a connection may make no progress while a response waits to be read. 120 unread responses of 9.5 MB took 300 MB. Node compares the
 * progress only at the end of this time, so the connection ends after up to twice as long.
 */
const UNREAD_MS = 30_000

/** Ends the connection when a response waits to be read. Without one, the handler is still working, and limits its own time. */
function endUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}

/**
 * Makes Node create requests and responses with the prototypes of the app. Express replaces the prototypes of each request otherwise, and
 * V8 then accesses the objects slowly.
 */
function classesOf(app: Express) {
  class OwnRequest extends IncomingMessage {}
  class OwnResponse extends ServerResponse {}
  app.request = Object.setPrototypeOf(OwnRequest.prototype, app.request)
  app.response = Object.setPrototypeOf(OwnResponse.prototype, app.response)
  return { IncomingMessage: OwnRequest, ServerResponse: OwnResponse }
}

/** Starts an HTTP or HTTPS server. Rejects if the port is not free. */
export async function listen(app: Express, host: string, port: number, tls?: Tls): Promise<Listening> {
  const options = { ...LIMITS, ...classesOf(app) }
  const server: Server = tls === undefined ? createPlainServer(options, app) : createTlsServer({ ...options, ...tls }, app)
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = UNREAD_MS
  server.prependListener('request', (_req, res) => res.on('timeout', endUnread))
  server.on('clientError', responseUnreadable)
  const drain = drainer(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: drain,
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}
const LINGER_MS = 1_000

/**
 * Answers a request that Node cannot parse, with the same statuses as Node's own listener. Node's listener closes the socket at once: a
 * client that is still sending headers then gets a TCP reset and never reads its 431 (Node 24). So this one reads and discards the rest of
 * such headers for a second.
 */
function responseUnreadable(err: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: { _headerSent: boolean } }): void {
  // Each further chunk of the same headers fails to parse again.
  if (socket.writableEnded) return
  if (!socket.writable || socket._httpMessage?._headerSent) {
    socket.destroy(err)
    return
  }
  const hsts = 'encrypted' in socket ? `${HSTS.name}: ${HSTS.value}\r\n` : ''
  const response = `HTTP/1.1 ${UNREADABLE[err.code ?? ''] ?? '400 Bad Request'}\r\n${hsts}Connection: close\r\n\r\n`
  if (err.code !== 'HPE_HEADER_OVERFLOW') {
    socket.write(response)
    socket.destroy(err)
    return
  }
  socket.end(response)
  socket.resume()
  const closing = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(closing))
}

import { createServer as createPlainServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { drainer } from './drain.ts'

export type Tls = { readonly cert: string | Buffer; readonly key: string | Buffer }

export type Listening = {
  readonly url: string
  /**
   * Takes no new connection, lets requests in hand end and tells their callers to leave, closes what is idle.
   * What is left after `drainMs` is cut off.
   */
  close(drainMs: number): Promise<void>
}

export async function listen(app: Express, host: string, port: number, tls?: Tls): Promise<Listening> {
  // Slow request headers and bodies are bounded, so that a caller who dawdles can't hold a socket for ever.
  const limits = { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 65_000 }
  const server: Server = tls === undefined ? createPlainServer(limits, app) : createTlsServer({ ...limits, ...tls }, app)
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

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

export type Script = (received: Received, response: ServerResponse, request: IncomingMessage) => void | Promise<void>

/** A third-party API or a webhook receiver. It records its requests in order, and a script that can change at any time responds. */
export type ScriptedServer = {
  readonly url: string
  readonly received: Received[]
  respond(script: Script): void
  close(): Promise<void>
}

/** Starts a server that answers 200 `{}` until `respond` sets a script. */
export async function openScriptedServer(): Promise<ScriptedServer> {
  const received: Received[] = []
  let script: Script = (_received, response) => sendJson(response, 200, {})
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const bytes = Buffer.concat(chunks)
    const got = { method, url, headers, body: bytes.toString(), bytes }
    received.push(got)
    await script(got, response, request)
  })
  // On a busy machine, a client can send on a connection at the moment in which the default of 5 s ends it.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond(next) {
      script = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

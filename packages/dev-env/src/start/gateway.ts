import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Services } from './functions-and-insights.ts'
import { HOST } from './settings.ts'

/** The paths of insights, as in infra/gateway/nginx.conf. All other paths belong to functions. */
const OF_INSIGHTS = /^\/(partners\/|(console|embed)(\/|\?|$))/
const API_OF_FUNCTIONS = /^\/(console|embed)\/api\/functions\//

export type Gateway = { readonly url: string; close(): Promise<void> }

/** Serves both services at one address, as the gateway does in production: the cookies of the console are for one host. */
export async function openGateway(
  port: number,
  { functionsUrl, insightsUrl }: Pick<Services, 'functionsUrl' | 'insightsUrl'>,
): Promise<Gateway> {
  const server = createServer((req, res) => forward(req, res, isOfInsights(req.url ?? '/') ? insightsUrl : functionsUrl))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, resolve)
  })
  return {
    url: `http://${HOST}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function isOfInsights(path: string): boolean {
  return OF_INSIGHTS.test(path) && !API_OF_FUNCTIONS.test(path)
}

function forward(req: IncomingMessage, res: ServerResponse, service: string): void {
  const { hostname, port } = new URL(service)
  const { method, url: path } = req
  // Each request gets its own connection, which closes with it.
  const headers = { ...req.headers, connection: 'close' }
  const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
    res.writeHead(response.statusCode ?? 502, response.rawHeaders)
    pipeline(response, res, () => {})
  })
  sent.once('error', () => {
    if (!res.headersSent) res.writeHead(503)
    res.end()
  })
  res.once('close', () => sent.destroy())
  pipeline(req, sent, () => {})
}

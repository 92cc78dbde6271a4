import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const MEBIBYTE = 1_048_576
const SLOW_MS = 10_000
/** A text without quotes, so that its JSON is not longer. */
const HUGE = Buffer.alloc(9.5 * MEBIBYTE, 'x')

/**
 * Serves an app that misbehaves; the path of a request says how. `/slow` answers after 10 s, `/huge` with 9.5 MiB, `/stalled` with the
 * beginning of as much, `/failing` resets the connection, and `/hanging` never answers. The first message to the parent process is its URL.
 */
export async function serveNoisyApp(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume()
    behave(request.url ?? '', response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve))
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

function behave(url: string, response: ServerResponse): void {
  switch (url) {
    case '/slow':
      setTimeout(() => response.end('{}'), SLOW_MS)
      return
    case '/huge':
      response.end(HUGE)
      return
    case '/stalled':
      response.writeHead(200, { 'content-length': HUGE.length + 1 }).write(HUGE)
      return
    case '/failing':
      response.socket?.resetAndDestroy()
      return
    case '/hanging':
      return
    default:
      response.end('{}')
  }
}

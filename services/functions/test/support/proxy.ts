import { createServer, request as sendHttp } from 'node:http'
import type { AddressInfo } from 'node:net'

type Options = {
  /** A path before all others, which the proxy removes. */
  readonly prefix?: string
  /** Headers that the proxy sets. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a proxy that sends each request to the next of several servers. */
export async function openProxy(urls: readonly string[], { prefix = '', headers: set = {} }: Options = {}) {
  const live = new Set(urls)
  const served = new Map(urls.map((url) => [url, 0]))
  let next = 0
  const server = createServer((req, res) => {
    const targets = [...live]
    const url = targets[next++ % targets.length] as string
    served.set(url, (served.get(url) ?? 0) + 1)
    const { method, headers, url: path = '/' } = req
    const inner = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
    const onward = sendHttp(`${url}${inner}`, { method, headers: { ...headers, ...set }, agent: false }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(res)
    })
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    remove: (url: string) => void live.delete(url),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

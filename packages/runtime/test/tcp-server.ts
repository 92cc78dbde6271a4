import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A server that speaks raw TCP: what HTTP servers can't be made to do. Counts who connects. */
export type TcpServer = {
  readonly port: number
  /** Connections made so far. */
  readonly made: number
  /** Connections that are open now. */
  readonly open: number
  close(): Promise<void>
}

export async function openTcpServer(talk: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<TcpServer> {
  const sockets = new Set<Socket>()
  let made = 0
  const server = createServer((socket) => {
    made += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    talk(socket)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get made() {
      return made
    },
    get open() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Stands in front of a store, so that a test can count its connections and take it away. Pass a port to bring it back where it was. */
export async function openProxy(target: string, port = 0): Promise<TcpServer & { readonly url: string }> {
  const url = new URL(target)
  const { hostname, port: behind } = url
  const proxy = await openTcpServer(
    (socket) => {
      const onward = connect(Number(behind), hostname)
      onward.on('error', () => socket.destroy())
      onward.on('close', () => socket.destroy())
      socket.on('close', () => onward.destroy())
      socket.pipe(onward).pipe(socket)
    },
    '127.0.0.1',
    port,
  )
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return Object.defineProperty(proxy, 'url', { value: url.href }) as TcpServer & { readonly url: string }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

/** A server for raw TCP, which counts its connections. */
export type TcpServer = {
  readonly port: number
  /** Number of connections so far. */
  readonly made: number
  /** Number of open connections. */
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

/** Opens a proxy for a store, so that a test can count connections and cut them. Pass the port to bring a closed proxy back. */
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

/** Sends raw bytes to a server and returns everything that it answers until it closes the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Containers often have no IPv6 loopback address. */
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))

/** The host to listen on for connections to every address of this machine. */
export const EVERY_ADDRESS = hasIpv6 ? '::' : '0.0.0.0'

export const itWithIpv6 = hasIpv6 ? it : it.skip

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that breaks a connection at a given request: after the server has executed it, or before the server receives it. */
export type LossyLink = {
  /** The URL of the target, through the proxy. */
  readonly url: string
  /**
   * Breaks the connection of the next request that contains this text when the server responds, so that the response is lost. Resolves then.
   */
  loseResponse(text: string): Promise<void>
  /**
   * Breaks the client's connection of the next request that contains this text, and holds the request back. Resolves with a function that
   * delivers it to the server after all.
   */
  holdRequest(text: string): Promise<() => void>
  close(): Promise<void>
}

type Trap = { readonly text: string; readonly kind: 'response' | 'request'; spring(deliver: () => void): void }

export async function openLossyLink(target: string): Promise<LossyLink> {
  const url = new URL(target)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let trap: Trap | undefined

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    /** Set when the response on this connection is to be lost. */
    let losing: Trap | undefined
    let held = false
    for (const socket of [near.setNoDelay(), far.setNoDelay()]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    near.on('data', (chunk) => {
      if (trap === undefined || !chunk.includes(trap.text)) return void far.write(chunk)
      const sprung = trap
      trap = undefined
      if (sprung.kind === 'response') {
        losing = sprung
        far.write(chunk)
        return
      }
      held = true
      near.resetAndDestroy()
      sprung.spring(() => far.end(chunk))
    })
    far.on('data', (chunk) => {
      if (losing === undefined) return void near.write(chunk)
      near.resetAndDestroy()
      far.destroy()
      losing.spring(() => {})
    })
    near.on('close', () => {
      if (!held) far.destroy()
    })
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    async loseResponse(text) {
      await new Promise((resolve) => {
        trap = { text, kind: 'response', spring: resolve }
      })
    },
    holdRequest: (text) =>
      new Promise((resolve) => {
        trap = { text, kind: 'request', spring: resolve }
      }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

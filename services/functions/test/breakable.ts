import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A store behind a line that can be cut: what was connected breaks, and what connects is turned away, until it is mended. */
export async function breakableUrl(storeUrl: string) {
  const store = new URL(storeUrl)
  const sockets = new Set<Socket>()
  let whole = true
  const server = createServer((near) => {
    if (!whole) return near.destroy()
    const far = connect(Number(store.port || (store.protocol.startsWith('redis') ? 6379 : 5432)), store.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(storeUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  function cut(): void {
    whole = false
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: url.href,
    cut,
    mend() {
      whole = true
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

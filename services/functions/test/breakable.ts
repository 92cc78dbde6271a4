import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy in front of Postgres or Redis. `cut` closes all connections and refuses new ones until `mend` is called. */
export async function breakableUrl(storeUrl: string) {
  const store = new URL(storeUrl)
  const sockets = new Set<Socket>()
  let open = true
  const server = createServer((client) => {
    if (!open) return client.destroy()
    const upstream = connect(Number(store.port || (store.protocol.startsWith('redis') ? 6379 : 5432)), store.hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(storeUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  function cut(): void {
    open = false
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: url.href,
    cut,
    mend() {
      open = true
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

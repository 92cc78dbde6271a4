import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy whose connections can fall silent without closing, as in a network partition or after a failover. */
export type SilentLink = {
  /** The URL of the target, through the proxy. */
  readonly url: string
  /** How many clients have closed their connection with a TCP reset. */
  readonly resets: number
  /** All open connections deliver nothing from now on. New connections work. */
  silence(): void
  /** The next connection on which the client sends this text falls silent before the text is delivered. Resolves then. */
  silenceAt(text: string): Promise<void>
  /** Delivers what waited, to connections that their client has closed too. */
  heal(): void
  close(): Promise<void>
}

type Pair = { readonly near: Socket; readonly far: Socket; held: Buffer | undefined }

export async function openSilentLink(target: string): Promise<SilentLink> {
  const url = new URL(target)
  const { hostname, port } = url
  const pairs = new Set<Pair>()
  let resets = 0
  const awaited = new Map<string, () => void>()

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    const pair: Pair = { near: near.setNoDelay(), far: far.setNoDelay(), held: undefined }
    pairs.add(pair)
    near.on('error', (err: NodeJS.ErrnoException) => {
      if (err.code === 'ECONNRESET') resets++
    })
    far.on('error', () => {})
    near.on('data', (chunk) => {
      const text = [...awaited.keys()].find((each) => chunk.includes(each))
      if (text === undefined) return void far.write(chunk)
      pair.held = chunk
      silence(pair)
      awaited.get(text)?.()
      awaited.delete(text)
    })
    far.on('data', (chunk) => void near.write(chunk))
    near.on('end', () => far.end())
    far.on('end', () => near.end())
    near.on('close', () => far.destroy())
    far.on('close', () => {
      near.destroy()
      pairs.delete(pair)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)

  return {
    url: url.href,
    get resets() {
      return resets
    },
    silence() {
      for (const pair of pairs) silence(pair)
    },
    silenceAt(text) {
      return new Promise((resolve) => {
        awaited.set(text, resolve)
      })
    },
    heal() {
      for (const pair of pairs) {
        if (pair.held !== undefined) pair.far.write(pair.held)
        pair.held = undefined
        pair.near.resume()
        pair.far.resume()
      }
    },
    async close() {
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}

/** A paused socket reads nothing, so it does not notice either that the other side has closed it. */
function silence({ near, far }: Pair): void {
  near.pause()
  far.pause()
}

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Load = {
  readonly connections: number
  /** When to end; after `count` requests if that is earlier. */
  readonly seconds: number
  readonly count?: number
  /** Requests per second of all connections together. As many as possible if this is left out. */
  readonly rate?: number
}

/** `times`: how long each request took, in ms. */
export type Loaded = { readonly perSecond: number; readonly times: readonly number[] }

/**
 * Sends the requests in turn over connections to all these URLs, and waits for the responses. Throws when one is not 200. It writes bytes that
 * were made before, and reads no more of a response than its length, so that it takes little CPU. autocannon measures in whole milliseconds.
 *
 * With a rate, the time of a request begins when it was due, even if all connections were busy then.
 */
export async function putLoad(
  urls: readonly string[],
  requests: readonly Buffer[],
  { connections, seconds, count, rate }: Load,
): Promise<Loaded> {
  const places = Array.from({ length: connections }, (_, n) => urls[n % urls.length] ?? '')
  const opened = await Promise.all(places.map(openConnection))
  const times: number[] = []
  const from = performance.now()
  const until = from + seconds * 1_000
  let turn = 0

  async function sendInTurn(connection: Connection): Promise<void> {
    for (;;) {
      const [request, due] = [requests[turn % requests.length], rate === undefined ? 0 : from + (turn * 1_000) / rate]
      if (request === undefined || turn === count || Math.max(due, performance.now()) >= until) return
      turn++
      const early = due - performance.now()
      if (early > 0) await sleep(early)
      const began = rate === undefined || early > 0 ? performance.now() : due
      await connection.send(request)
      times.push(performance.now() - began)
    }
  }

  try {
    await Promise.all(opened.map(sendInTurn))
    return { perSecond: (1_000 * times.length) / (performance.now() - from), times }
  } finally {
    for (const connection of opened) connection.close()
  }
}

/** Returns the bytes of a POST request with a JSON body. */
export function postRequest(path: string, headers: Readonly<Record<string, string>>, body: object): Buffer {
  const text = JSON.stringify(body)
  const all = { host: '127.0.0.1', ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

type Connection = { send(request: Buffer): Promise<void>; close(): void }

const LENGTH = /\r\ncontent-length: (\d+)/i

/** Opens a connection that carries one request after another. `send` throws when the response is not 200. */
async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname).setEncoding('latin1').setNoDelay()
  let [text, settle] = ['', (_err?: Error) => {}]
  const ready = new Promise<void>((resolve, reject) => {
    settle = (err) => (err === undefined ? resolve() : reject(err))
  })
  socket.once('connect', () => settle())
  socket.on('error', (err) => settle(err))
  socket.on('close', () => settle(new Error(`${url} closed the connection after ${JSON.stringify(text)}`)))
  socket.on('data', (chunk: string) => {
    text += chunk
    const end = text.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = LENGTH.exec(text)?.[1]
    if (!text.startsWith('HTTP/1.1 200 ') || length === undefined) return settle(new Error(`${url} answered ${text}`))
    if (text.length >= end + 4 + Number(length)) settle()
  })
  await ready
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        text = ''
        settle = (err) => (err === undefined ? resolve() : reject(err))
        if (socket.destroyed) reject(new Error(`${url} closed the connection`))
        else socket.write(request)
      }),
    close: () => void socket.destroy(),
  }
}

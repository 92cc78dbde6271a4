import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { selfSigned } from './certificate.ts'
import { openTestClient } from './outgoing.ts'
import { openTcpServer } from './tcp.ts'

const NOT_SENT = { kind: 'unreachable', sent: false }
const BROKEN = { kind: 'broken', sent: true }
/** Its own deadline is far longer than the tests' deadlines, so that a missed deadline shows. */
const client = openTestClient({ timeoutMs: 20_000 })
afterAll(async () => await client.close())

/** Returns the failure of a request to a server that calls `talk` once it has received something. */
async function failureWith(talk: (socket: Socket) => unknown, config: Parameters<typeof client.failure>[1] = {}) {
  const server = await openTcpServer((socket) => socket.once('data', () => talk(socket)))
  try {
    return await client.failure(`http://127.0.0.1:${server.port}/`, config)
  } finally {
    await server.close()
  }
}

describe('a request that was not sent', () => {
  it('is unreachable when no server listens', async () => {
    const server = await openTcpServer(() => {})
    await server.close()
    expect(await client.failure(`http://127.0.0.1:${server.port}/`, { method: 'post', data: 'x' })).toEqual(NOT_SENT)
  })

  it.each(['data:text/plain,hello', 'file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1/', 'about:blank', 'blob:https://x/y'])(
    'is unreachable with the scheme of %s',
    async (url) => {
      expect(await client.failure(url)).toEqual(NOT_SENT)
    },
  )

  it.each(['', '/path', 'http://', 'https://[::1'])('is unreachable when the URL is not valid: %j', async (url) => {
    expect(await client.failure(url)).toEqual(NOT_SENT)
  })

  it.each([30, -1])('is unreachable when the certificate is not trusted or has expired: %i days', async (days) => {
    let asked = 0
    const server = createTlsServer(selfSigned(days), (_req, res) => {
      asked += 1
      res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await client.failure(`https://localhost:${port}/`)).toEqual(NOT_SENT)
    expect(asked).toBe(0)
    server.close()
  })

  it('is unreachable when the server does not speak TLS, or not in time', async () => {
    const plain = await openTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await client.failure(`https://127.0.0.1:${plain.port}/`)).toEqual(NOT_SENT)
    await plain.close()
    const silent = await openTcpServer(() => {})
    const hasty = openTestClient({ connectTimeoutMs: 50 })
    expect(await hasty.failure(`https://127.0.0.1:${silent.port}/`)).toEqual(NOT_SENT)
    expect(await client.failure(`https://127.0.0.1:${silent.port}/`, { timeout: 50 })).toEqual({ kind: 'timed_out', sent: false })
    await hasty.close()
    await silent.close()
  })

  it('is unreachable when its body exceeds the cap', async () => {
    const server = await openTcpServer((socket) => socket.destroy())
    const failure = await client.failure(`http://127.0.0.1:${server.port}/`, { method: 'post', data: 'x'.repeat(10_001) })
    expect(failure).toEqual(NOT_SENT)
    expect(server.made).toBe(0)
    await server.close()
  })
})

describe('a request without a usable answer', () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

  it.each([
    ['the connection is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['the connection is closed', (socket: Socket) => socket.end()],
    ['the answer ends in its head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['the answer is shorter than it says', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort')],
    ['the last chunk is missing', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n')],
    ['a chunk is no chunk', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense')],
    ['it is not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['it is nonsense', (socket: Socket) => socket.end('\0\0\0\0')],
    ['it is HTTP/2', (socket: Socket) => socket.end('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['there are two lengths', (socket: Socket) => socket.end(whole.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n'))],
    [
      'the protocol changes',
      (socket: Socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    ['the head is huge', (socket: Socket) => socket.end(whole.replace('\r\n\r\n', `\r\nX-Huge: ${'x'.repeat(1_000_000)}\r\n\r\n`))],
    ['there are 100 000 headers', (socket: Socket) => socket.end(whole.replace('\r\n\r\n', `\r\n${'X-A: b\r\n'.repeat(100_000)}\r\n`))],
  ])('is broken and sent when %s', async (_name, talk) => {
    expect(await failureWith(talk)).toEqual(BROKEN)
  })

  it.each([
    ['nothing comes', () => {}],
    ['the head drips', drip(whole)],
    [
      'the body drips',
      async (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        await drip('x'.repeat(1_000))(socket)
      },
    ],
    ['hints come for ever', drip('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), 28)],
  ])('times out at the deadline of the whole exchange when %s', async (_name, talk) => {
    const started = performance.now()
    expect(await failureWith(talk, { timeout: 300 })).toEqual({ kind: 'timed_out', sent: true })
    expect(performance.now() - started).toBeGreaterThan(280)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('has an error without any part of the request', async () => {
    const server = await openTcpServer((socket) => socket.destroy())
    const secret = 'hunter2-of-the-test'
    const url = `http://127.0.0.1:${server.port}/?key=${secret}`
    const err = await client.http.post(url, secret, { headers: { authorization: secret } }).catch((failed: Error) => failed)
    expect(JSON.stringify(err) + String(err) + (err as Error).stack).not.toContain(secret)
    await server.close()
  })
})

describe('a request that is aborted', () => {
  it('is reported as sent when it waits for the answer', async () => {
    const controller = new AbortController()
    const failure = await failureWith(() => controller.abort(), { signal: controller.signal })
    expect(failure).toEqual(BROKEN)
  })

  it('is reported as timed out when a timeout aborts it', async () => {
    // The reason of `AbortSignal.timeout`, which itself could fire before the request is sent.
    const controller = new AbortController()
    const late = () => controller.abort(new DOMException('late', 'TimeoutError'))
    expect(await failureWith(late, { signal: controller.signal })).toEqual({ kind: 'timed_out', sent: true })
  })

  it('is reported as not sent when it was aborted before it began', async () => {
    const server = await openTcpServer((socket) => socket.destroy())
    expect(await client.failure(`http://127.0.0.1:${server.port}/`, { signal: AbortSignal.abort() })).toEqual(NOT_SENT)
    expect(server.made).toBe(0)
    await server.close()
  })
})

/** Writes a few bytes at a time until the other side closes the connection. */
function drip(text: string, step = 1) {
  return async (socket: Socket) => {
    for (let i = 0; i < text.length && !socket.destroyed; i += step) {
      socket.write(text.slice(i, i + step))
      await sleep(10)
    }
  }
}

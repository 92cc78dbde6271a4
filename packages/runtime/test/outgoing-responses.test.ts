import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { openTestClient } from './outgoing.ts'
import { openTcpServer } from './tcp.ts'

const CAP = 10_000
let server: ScriptedServer
const client = openTestClient()
const cutting = openTestClient({ overflow: 'cut' })
beforeAll(async () => {
  server = await openScriptedServer()
})
afterAll(async () => {
  await Promise.all([client.close(), cutting.close(), server.close()])
})

const answer = (body: Buffer | string, headers: Record<string, string> = {}, status = 200) =>
  server.respond((_received, response) => void response.writeHead(status, headers).end(body))

/** A body that compresses very well. */
const bomb = Buffer.alloc(50_000_000, 'a')

describe('an answer', () => {
  it.each([200, 204, 299, 304, 400, 404, 500, 599])('is returned with the status %i', async (status) => {
    answer(status === 204 || status === 304 ? '' : '{"a":1}', {}, status)
    expect((await client.get(server.url)).status).toBe(status)
  })

  it.each([301, 302, 303, 307, 308])('with the redirect %i is not followed', async (status) => {
    const before = server.received.length
    answer('', { location: `${server.url}/elsewhere` }, status)
    const { headers } = await client.get(server.url)
    expect(headers.location).toBe(`${server.url}/elsewhere`)
    expect(server.received.length).toBe(before + 1)
  })

  it('is returned as bytes, whatever its type is', async () => {
    answer(Buffer.from([0, 255, 128, 10]), { 'content-type': 'application/json' })
    expect((await client.get(server.url)).data).toEqual(Buffer.from([0, 255, 128, 10]))
  })

  it('may follow early hints', async () => {
    server.respond((_received, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(201, { 'x-late': 'yes' }).end('body')
    })
    const { status, data, headers } = await client.get(server.url)
    expect([status, String(data), headers['x-late'], headers.link]).toEqual([201, 'body', 'yes', undefined])
  })

  it.each([
    'get',
    'set',
    'has',
    'delete',
    'normalize',
    'concat',
    'to-json',
    'toJSON',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    'then',
  ])('may have a header with the name of a property: %s', async (name) => {
    answer('{"a":1}', { [name]: 'x', 'content-encoding': 'identity', 'retry-after': '7' })
    const { data, headers } = await client.get(server.url)
    expect([String(data), headers['retry-after']]).toEqual(['{"a":1}', '7'])
  })

  it('may have the same header several times', async () => {
    server.respond((_received, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('x-twice', ['1', '2']).end('ok')
    })
    const { headers } = await client.get(server.url)
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  it('is returned when it arrived before the deadline and the process was suspended until later', async () => {
    const server = await openTcpServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
        // Blocks this process until the deadline has passed.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
      })
    })
    try {
      const { data } = await client.get(`http://127.0.0.1:${server.port}/`, { timeout: 300 })
      expect(data.toString()).toBe('ok')
    } finally {
      await server.close()
    }
  })
})

describe('a compressed answer', () => {
  const text = JSON.stringify({ a: 'é'.repeat(1_000) })

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['deflate,GZIP,identity', gzipSync(deflateSync(text))],
    ['gzip, aws-chunked', gzipSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ])('is decompressed: %s', async (encoding, body) => {
    answer(body, { 'content-encoding': encoding })
    expect(String((await client.get(server.url)).data)).toBe(text)
  })

  it.each([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['gzip, br', brotliCompressSync(gzipSync(bomb))],
  ])('that is a zip bomb fails without taking much memory: %s', async (encoding, body) => {
    const roomy = openTestClient({ maxResponseBytes: 100_000 })
    answer(body, { 'content-encoding': encoding })
    const before = process.memoryUsage().arrayBuffers
    expect(await roomy.failure(server.url)).toEqual({ kind: 'too_large', sent: true })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
    await roomy.close()
  })

  it.each<[string, Buffer]>([
    ['gzip', Buffer.from('no gzip at all')],
    ['br', Buffer.from('no brotli at all')],
    ['gzip', gzipSync(text).subarray(0, 20)],
    ['br, gzip', brotliCompressSync(gzipSync(text))],
    ['gzip, gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(gzipSync(text))))],
  ])('that cannot be decompressed is broken: %s', async (encoding, body) => {
    answer(body, { 'content-encoding': encoding })
    expect(await client.failure(server.url)).toEqual({ kind: 'broken', sent: true })
  })
})

describe('the cap on an answer', () => {
  it.each([CAP - 1, CAP])('lets %i bytes through', async (bytes) => {
    answer('x'.repeat(bytes))
    expect((await client.get(server.url)).data).toHaveLength(bytes)
    expect((await cutting.get(server.url)).data).toHaveLength(bytes)
  })

  it('fails a larger answer or cuts it', async () => {
    answer('x'.repeat(CAP + 1))
    expect(await client.failure(server.url)).toEqual({ kind: 'too_large', sent: true })
    const { status, data } = await cutting.get(server.url)
    expect([status, data.length]).toEqual([200, CAP])
  })

  it('fails or empties an answer that is larger only after decompression', async () => {
    answer(gzipSync('x'.repeat(CAP + 1)), { 'content-encoding': 'gzip' })
    expect(await client.failure(server.url)).toEqual({ kind: 'too_large', sent: true })
    const { status, data } = await cutting.get(server.url)
    expect([status, data.length]).toEqual([200, 0])
  })

  it('ends an answer that never ends', async () => {
    server.respond(async (_received, response) => {
      while (!response.destroyed) {
        response.write('x'.repeat(1_000))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    expect(await client.failure(server.url)).toEqual({ kind: 'too_large', sent: true })
    expect((await cutting.get(server.url)).data).toHaveLength(CAP)
  })
})

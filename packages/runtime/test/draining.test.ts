import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { eventually } from '@onward/testbed'
import express from 'express'
import { type Listening, listen, type Tls } from '../src/index.ts'
import { selfSigned } from './certificate.ts'
import { itWithIpv6 } from './tcp.ts'

/** A server whose `/slow` waits until the test releases it. */
async function openServer(tls?: Tls) {
  const waiting: (() => void)[] = []
  const app = express()
  app.get('/slow', async (_req, res) => {
    await new Promise<void>((go) => waiting.push(go))
    res.send('done')
  })
  app.get('/fast', (_req, res) => {
    res.send('done')
  })
  const server = await listen(app, '127.0.0.1', 0, tls)
  return { server, waiting, port: Number(new URL(server.url).port) }
}

const fetchText = async (server: Listening, path: string) => await (await fetch(server.url + path)).text()

async function timed(work: Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work
  return performance.now() - started
}

/** A thread that sends a request, then on a signal one more on the same connection and one on a new one. Returns the status lines. */
const CALLER = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, sent } } = require('node:worker_threads')
  const REQUEST = 'GET /fast HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'
  const answerOn = (socket) => new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data).split('\\r\\n')[0]))
    socket.once('error', (err) => resolve(err.code))
    socket.once('close', () => resolve('closed'))
  })
  const ask = (socket) => {
    const answer = answerOn(socket)
    socket.write(REQUEST, () => Atomics.add(sent, 0, 1))
    return answer
  }
  const kept = connect(port, '127.0.0.1')
  kept.once('data', () => {
    Atomics.store(sent, 0, 0)
    parentPort.once('message', async () => parentPort.postMessage(await Promise.all([ask(kept), ask(connect(port, '127.0.0.1'))])))
    parentPort.postMessage('ready')
  })
  kept.write(REQUEST)
`

describe('listen', () => {
  it('closes the connection of a request in flight with its answer, not before', async () => {
    const { server, waiting } = await openServer()
    const response = fetch(`${server.url}/slow`)
    await eventually(() => expect(waiting).toHaveLength(1))
    const closed = server.close(5_000)
    waiting[0]?.()
    const { status, headers } = await response
    expect([status, headers.get('connection')]).toEqual([200, 'close'])
    await closed
  })

  itWithIpv6('returns its URL, also for an IPv6 host', async () => {
    const server = await listen(express(), '::1', 0)
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(server.url)).status).toBe(404)
    await server.close(0)
  })

  it('rejects when the port is in use', async () => {
    const { server, port } = await openServer()
    await expect(listen(express(), '127.0.0.1', port)).rejects.toThrow('EADDRINUSE')
    await server.close(0)
  })
})

describe('a request that cannot be parsed', () => {
  it('gets 400 when it is not HTTP', async () => {
    const { server, port } = await openServer()
    const socket = connect(port, '127.0.0.1')
    socket.write('hello\r\n\r\n')
    const [data] = await once(socket, 'data')
    expect(String(data)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    await server.close(0)
  })
})

describe('close', () => {
  it('lets a pending request end and accepts no new connection', async () => {
    const { server, waiting } = await openServer()
    const slow = fetchText(server, '/slow')
    await eventually(() => expect(waiting).toHaveLength(1))
    const closed = server.close(10_000)
    await eventually(async () => await expect(fetchText(server, '/fast')).rejects.toThrow())
    waiting[0]?.()
    expect(await slow).toBe('done')
    await closed
  })

  it('closes idle kept-alive connections without waiting for them', async () => {
    const { server } = await openServer()
    await fetchText(server, '/fast')
    expect(await timed(server.close(10_000))).toBeLessThan(5_000)
  })

  it('answers requests that arrived while the process was busy, on kept-alive and new connections', async () => {
    const { server, port } = await openServer()
    const sent = new Int32Array(new SharedArrayBuffer(4))
    const caller = new Worker(CALLER, { eval: true, workerData: { port, sent } })
    await once(caller, 'message')
    const closed = server.close(10_000)
    caller.postMessage('go')
    // Block the process for longer than the grace period, and until both requests are on their way.
    const busyUntil = performance.now() + 1_500
    while (performance.now() < busyUntil || (Atomics.load(sent, 0) < 2 && performance.now() < busyUntil + 10_000));
    const [answers] = await once(caller, 'message')
    expect(answers).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])
    await closed
    await caller.terminate()
  })

  it('ends after `drainMs` even with a pending request', async () => {
    const { server, waiting } = await openServer()
    const slow = fetchText(server, '/slow').catch((err: Error) => err.name)
    await eventually(() => expect(waiting).toHaveLength(1))
    expect(await timed(server.close(200))).toBeLessThan(10_000)
    expect(await slow).toBe('TypeError')
  })

  it.each([
    ['plain', ''],
    ['plain', 'GET / HTTP/1.1\r\nHo'],
    ['TLS', ''],
    ['TLS', '\x16\x03\x01'],
  ])('ends after `drainMs` with a slow peer: %s, which has sent %j', async (kind, sent) => {
    const { server, port } = await openServer(kind === 'TLS' ? selfSigned() : undefined)
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(sent)
    // The server answers a later connection, so it has accepted this one too.
    const later = connect(port, '127.0.0.1')
    later.resume().on('error', () => {})
    later.write('x\r\n\r\n')
    await once(later, kind === 'TLS' ? 'close' : 'data')
    expect(await timed(server.close(200))).toBeLessThan(10_000)
    socket.destroy()
  })

  it('closes busy kept-alive connections after an answer, so that no request is lost', async () => {
    const { server, port } = await openServer()
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    let lost = 0
    let answered = 0
    let open = true
    const get = () =>
      new Promise<void>((resolve) => {
        const req = httpRequest({ port, host: '127.0.0.1', path: '/fast', agent }, (res) => {
          answered += 1
          res.resume().on('end', resolve)
        })
        req.on('error', (err: NodeJS.ErrnoException) => {
          open = false
          if (err.code !== 'ECONNREFUSED') lost += 1
          resolve()
        })
        req.end()
      })
    const callers = Promise.all(
      Array.from({ length: 20 }, async () => {
        while (open) await get()
      }),
    )
    await eventually(() => expect(answered).toBeGreaterThan(200))
    await server.close(10_000)
    await callers
    expect(lost).toBe(0)
    agent.destroy()
  })
})

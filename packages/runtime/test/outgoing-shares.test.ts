import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { eventually } from '@onward/testbed'
import { openShares, type Shares } from '../src/index.ts'
import { openHosts } from '../src/outgoing/hosts.ts'
import { openTestClient } from './outgoing.ts'
import { openTcpServer, type TcpServer } from './tcp.ts'

const [JOE, ANN] = ['joe', 'ann'].map((userId) => ({ appKey: 'app-1', userId }))
const EVE = { appKey: 'app-2', userId: 'eve' }
/** The most connections to a host that one user gets. */
const QUARTER = 64
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

const client = openTestClient({ timeoutMs: 20_000, maxResponseBytes: 1_000_000 })
const servers: TcpServer[] = []
afterEach(() => jest.restoreAllMocks())
afterAll(async () => {
  await client.close()
  for (const server of servers) await server.close()
})

/** Opens a server that calls `talk` for each request, and returns its URL. */
async function serve(talk: (socket: Socket, request: string) => unknown): Promise<string> {
  const server = await openTcpServer((socket) => socket.on('data', (bytes) => talk(socket, bytes.toString())))
  servers.push(server)
  return `http://127.0.0.1:${server.port}`
}

/** Options of a request on behalf of a tenant. */
function as(tenant = JOE, shares: Shares = openShares(1e9)) {
  if (tenant === undefined) throw new Error('there is no such tenant')
  const share = shares.open(tenant)
  return { memory: () => share }
}

describe('the connections to a host', () => {
  it('are shared: a user whose requests hang gets a quarter of them, and other tenants are answered', async () => {
    const hanging = new Set<Socket>()
    const url = await serve((socket, request) => (request.startsWith('GET /hang') ? hanging.add(socket) : socket.write(OK)))
    const calls = Array.from({ length: QUARTER + 10 }, (_, n) => client.get(`${url}/hang/${n}`, as()))
    for (const tenant of [ANN, EVE]) expect((await client.get(url, as(tenant))).status).toBe(200)
    expect(hanging.size).toBe(QUARTER)
    expect(await client.failure(url, { ...as(), timeout: 50 })).toMatchObject({ kind: 'timed_out', sent: false })
    // The others get their turn when connections are free.
    let answered = 0
    const ending = Promise.all(calls.map((call) => call.then(() => answered++)))
    while (answered < calls.length) {
      for (const socket of hanging) socket.write(OK)
      hanging.clear()
      await client.get(url, as(EVE))
    }
    await ending
  })

  it('are waited for within the deadline of the request', async () => {
    const hanging: Socket[] = []
    const url = await serve((socket) => hanging.push(socket))
    const calls = Array.from({ length: QUARTER }, (_, n) => client.get(`${url}/${n}`, as()))
    await eventually(() => expect(hanging).toHaveLength(QUARTER))
    const late = client.failure(url, { ...as(), timeout: 19_000 })
    const now = performance.now.bind(performance)
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 19_000)
    hanging[0]?.write(OK)
    // No time is left for the request when it gets a connection.
    expect(await late).toMatchObject({ kind: 'timed_out' })
    for (const socket of hanging) socket.write(OK)
    await Promise.all(calls)
  })

  it('are not waited for when the client is closed', async () => {
    const url = await serve(() => {})
    const other = openTestClient({ timeoutMs: 20_000 })
    const failures = Array.from({ length: QUARTER + 1 }, () => other.failure(url, as()))
    await other.close()
    expect(await failures.at(-1)).toMatchObject({ kind: 'unreachable', sent: false })
    await Promise.all(failures)
  })
})

describe('hosts', () => {
  it('take no memory after their last request', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const hosts = openHosts(256)
    const heapBytes = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heapBytes()
    const name = 'x'.repeat(2_000)
    for (let n = 0; n < 10_000; n++) await hosts.run(`http://${n}.${name}`, EVE, 1_000, async () => {})
    // The names of all hosts together have 20 MB.
    expect(heapBytes() - before).toBeLessThan(5_000_000)
    expect(await hosts.run('http://other', EVE, 1_000, async () => 'answer')).toBe('answer')
  })
})

describe('a host that does not answer', () => {
  it('gets no more requests of that user until one of them was tried after a pause', async () => {
    const gone = await openTcpServer(() => {})
    const url = `http://127.0.0.1:${gone.port}`
    await gone.close()
    for (let i = 0; i < 10; i++) expect(await client.failure(url, as())).toEqual({ kind: 'unreachable', sent: false })

    const back = await openTcpServer((socket) => socket.on('data', () => socket.write(OK)), '127.0.0.1', gone.port)
    servers.push(back)
    const paused = await client.failure(url, as())
    expect(paused).toEqual({ kind: 'unreachable', sent: false, retryAfterMs: expect.any(Number) })
    expect(back.made).toBe(0)
    for (const tenant of [ANN, EVE]) expect((await client.get(url, as(tenant))).status).toBe(200)

    const now = performance.now.bind(performance)
    jest.spyOn(performance, 'now').mockImplementation(() => now() + (paused?.retryAfterMs ?? 0))
    const tried = client.get(url, as())
    expect(await client.failure(url, as())).toMatchObject({ kind: 'unreachable', retryAfterMs: expect.any(Number) })
    expect((await tried).status).toBe(200)
    expect((await client.get(url, as())).status).toBe(200)
  })

  it('counts as failing after timeouts in a row, but not when it answers between them', async () => {
    const url = await serve((socket, request) => request.startsWith('GET /ok') && socket.write(OK))
    const timeOut = async () => await client.failure(`${url}/hang`, { ...as(), timeout: 20 })
    for (let i = 0; i < 9; i++) await timeOut()
    expect((await client.get(`${url}/ok`, as())).status).toBe(200)
    for (let i = 0; i < 10; i++) expect(await timeOut()).toMatchObject({ kind: 'timed_out' })
    expect(await timeOut()).toMatchObject({ kind: 'unreachable', retryAfterMs: expect.any(Number) })
  })
})

describe('the memory for answers', () => {
  const BIG = 400_000

  it.each([
    ['with its length', (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${BIG}\r\n\r\n${'x'.repeat(BIG)}`)],
    ['without its length', (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${'x'.repeat(BIG)}`)],
    [
      'in chunks of one byte',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(BIG)}0\r\n\r\n`),
    ],
  ])('is shared: an answer %s is dropped when the user has no room for it', async (_name, talk) => {
    const url = await serve(talk)
    const full = openShares(3 * BIG)
    const failure = await client.failure(url, as(JOE, full))
    expect(failure).toEqual({ kind: 'no_room', sent: true, room: expect.any(Number) })
    // A response without its length is dropped when it has outgrown the room.
    expect(failure?.room).toBeGreaterThan(0.7 * BIG)
    expect(full.held).toBe(0)

    const roomy = openShares(8 * BIG)
    const { data } = await client.get(url, as(JOE, roomy))
    expect(data.equals(Buffer.alloc(BIG, 'x'))).toBe(true)
    expect(roomy.held).toBeGreaterThan(BIG - 20_000)
    expect(roomy.held).toBeLessThan(1.5 * BIG)
  })

  it('counts what was decompressed', async () => {
    const packed = gzipSync(Buffer.alloc(BIG))
    const url = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
      socket.write(packed)
    })
    expect(await client.failure(url, as(JOE, openShares(BIG)))).toEqual({ kind: 'no_room', sent: true, room: expect.any(Number) })
    expect((await client.get(url, as(JOE, openShares(8 * BIG)))).data.length).toBe(BIG)
  })
})

import { openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { openPoster, type Poster } from '../src/index.ts'
import { openTcpServer } from './tcp.ts'

let server: ScriptedServer
let poster: Poster
const open = (deadlineMs = 10_000) => openPoster({ reach: 'local', deadlineMs, connections: 4, maxResponseBytes: 1_000 })
beforeAll(async () => {
  server = await openScriptedServer()
  poster = open()
})
afterAll(async () => {
  await poster.close()
  await server.close()
})

it('posts the body and headers, and returns the status and headers of the answer', async () => {
  server.respond((_received, response) => void response.writeHead(503, { 'retry-after': '7' }).end('later'))
  const posted = await poster.post(`${server.url}/hook?a=1`, { 'content-type': 'application/json' }, '{"a":1}')
  expect(posted).toMatchObject({ status: 503, headers: { 'retry-after': '7' } })
  expect(server.received.at(-1)).toMatchObject({ method: 'POST', url: '/hook?a=1', body: '{"a":1}' })
})

it('does not follow a redirect', async () => {
  server.respond((_received, response) => void response.writeHead(307, { location: server.url }).end())
  const before = server.received.length
  expect(await poster.post(server.url, {}, '')).toMatchObject({ status: 307 })
  expect(server.received).toHaveLength(before + 1)
})

it('accepts an answer that never ends, once enough of it has arrived', async () => {
  server.respond((_received, response) => void response.writeHead(200).write('x'.repeat(2_000)))
  expect(await poster.post(server.url, {}, '')).toMatchObject({ status: 200 })
})

it('reports a deadline that passes as timed_out', async () => {
  server.respond(() => {})
  const hasty = open(100)
  expect(await hasty.post(server.url, {}, '')).toMatchObject({ failure: 'timed_out' })
  await hasty.close()
})

it('reports a connection that is closed without an answer as broken, and a refused one as unreachable', async () => {
  const closing = await openTcpServer((socket) => socket.once('data', () => socket.destroy()))
  const url = `http://127.0.0.1:${closing.port}/`
  expect(await poster.post(url, {}, '')).toMatchObject({ failure: 'broken' })
  await closing.close()
  expect(await poster.post(url, {}, '')).toEqual({ failure: 'unreachable', code: 'ECONNREFUSED' })
})

it('reports a private address as blocked with reach public', async () => {
  const guarded = openPoster({ reach: 'public', deadlineMs: 1_000, connections: 4, maxResponseBytes: 1_000 })
  expect(await guarded.post('https://127.0.0.1/', {}, '')).toMatchObject({ failure: 'blocked' })
  await guarded.close()
})

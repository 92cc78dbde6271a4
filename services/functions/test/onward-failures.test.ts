import { gzipSync } from 'node:zlib'
import { openScriptedServer, type Script } from '@onward/testbed'
import { type Functions, openFunctions, type User } from './support.ts'

/** Made beforehand: that takes a while. */
const BOMB = gzipSync(Buffer.alloc(64 * 1_048_576))

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  await joe.connect('notes')
})
beforeEach(() => {
  onward.third.received.length = 0
})

/** Calls, and gives what the caller was told and what was recorded. */
async function failed(user: User = joe, name = 'notes-read-notes', args: object = {}, at: Functions = onward) {
  const { status, body, headers } = await user.call(name, args)
  const callId = String(headers['x-call-id'])
  expect(body).toEqual({ error: expect.any(String), error_details: [], code: expect.any(String) })
  const logged = await user.post(`/calls/${callId}/get`).expect(200)
  expect(logged.body).toMatchObject({ id: callId, function_name: name, network_code: null, duration_ms: expect.any(Number) })
  expect(logged.body).not.toHaveProperty('output')
  expect((await at.rows()).call_attempt).toBe(0)
  return { status, code: body.code, outcome: logged.body.outcome, counted: await at.counted(callId) }
}

const UNREACHABLE = { status: 502, code: 'upstream_unreachable', outcome: 'unreachable', counted: false }
const BROKEN = { status: 502, code: 'upstream_invalid', outcome: 'no_answer', counted: true }
const LATE = { status: 504, code: 'upstream_timeout', outcome: 'no_answer', counted: true }

describe('nothing could be sent', () => {
  it.each([
    ['the connection is refused', 'http://127.0.0.1:1'],
    ['the name does not exist', 'http://nowhere.invalid'],
    ['the other side speaks no TLS', 'tls'],
  ])('because %s: 502, logged, not counted', async (_what, url) => {
    const user = onward.user(`to-${url}`)
    await user.connect('notes', { url: url === 'tls' ? onward.third.url.replace('http:', 'https:') : url })
    expect(await failed(user)).toEqual(UNREACHABLE)
  })

  it('because the address is not a public one: 502, and no socket is opened', async () => {
    const guarded = await openFunctions({ env: { OUTGOING_REACH: 'public' } })
    const user = guarded.user('joe')
    const path = '/admin/applications/app-1/connected-accounts'
    const credentials = { url: guarded.third.url }
    const refused = await guarded.admin('post', path, { user_id: 'joe', app: 'notes', credentials }).expect(400)
    expect(refused.body.error_details).toEqual(['credentials.url: must be an https URL'])
    const named = { url: 'https://127.0.0.1.nip.invalid' }
    await guarded.admin('post', path, { user_id: 'joe', app: 'notes', credentials: named }).expect(200)
    expect((await user.call('notes-read-notes')).body.code).toBe('upstream_unreachable')
    expect((await user.call('clock-get-time').expect(502)).body.error).toContain('its address is not public')
    expect(guarded.third.received).toHaveLength(0)
  })

  it('at first, but then it could: the call goes through, once, even an ACTION', async () => {
    const later = await openScriptedServer()
    const { port } = new URL(later.url)
    await later.close()
    const user = onward.user('patient')
    await user.connect('notes', { url: later.url })
    const calling = user.call('notes-add-note', { note: {} }).then((answer) => answer)
    const { createServer } = await import('node:http')
    let requests = 0
    const server = createServer((_request, response) => {
      requests++
      response.end('{}')
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
    expect((await calling).status).toBe(200)
    expect(requests).toBe(1)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('it was sent, but no usable answer came', () => {
  const scripts: [string, Script][] = [
    ['the connection broke off before the head', (_received, _response, request) => void request.socket.destroy()],
    [
      'it broke off in the body',
      (_received, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"a":')
        setTimeout(() => response.destroy(), 50)
      },
    ],
    ['it is no HTTP', (_received, response) => void response.socket?.end('hello, this is no HTTP\r\n\r\n')],
    ['its head is endless', (_received, response) => void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)],
    [
      'it has too many headers',
      (_received, response) => void response.socket?.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\n`),
    ],
    ['its length is a lie', (_received, response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: nine\r\n\r\n{}')],
    ['it is larger than 10 MiB', (_received, response) => void response.end(Buffer.alloc(10 * 1_048_576 + 1, 'x'))],
    [
      'it never ends',
      (_received, response) => {
        const chunk = Buffer.alloc(1_048_576, 'x')
        const more = () => void (response.destroyed || response.write(chunk, more))
        more()
      },
    ],
    ['it is a gzip bomb', (_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)],
    ['its gzip is broken', (_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')],
    [
      'its gzip is cut off',
      (_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}').subarray(0, 12)),
    ],
  ]

  it.each(scripts)('because %s: 502, logged and counted', async (_what, script) => {
    onward.third.answer(script)
    expect(await failed()).toEqual(BROKEN)
    expect(onward.third.received).toHaveLength(1)
  })

  it('to an ACTION: it is not sent again', async () => {
    onward.third.answer((_received, _response, request) => void request.socket.destroy())
    expect(await failed(joe, 'notes-add-note', { note: {} })).toEqual(BROKEN)
    expect(onward.third.received).toHaveLength(1)
  })
})

describe('it was sent, but no whole answer came in time', () => {
  let hasty: Functions
  let user: User
  beforeAll(async () => {
    hasty = await openFunctions({ env: { CALL_TIMEOUT_MS: '1000' } })
    user = hasty.user('joe')
    await user.connect('notes')
  })
  beforeEach(() => {
    hasty.third.received.length = 0
  })

  const slow: [string, Script][] = [
    ['nothing came', () => {}],
    ['the head came, and no body', (_received, response) => void response.writeHead(200).flushHeaders()],
    [
      'it came byte by byte',
      (_received, response) => {
        const timer = setInterval(() => response.write('x'), 100)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ]

  it.each(slow)('because %s: 504, logged and counted', async (_what, script) => {
    hasty.third.answer(script)
    expect(await failed(user, 'notes-read-notes', {}, hasty)).toEqual(LATE)
    expect(hasty.third.received).toHaveLength(1)
  })
})

describe('the error', () => {
  it('says whether the call may have taken effect, and nothing of addresses', async () => {
    onward.third.answer((_received, _response, request) => void request.socket.destroy())
    const broken = await joe.call('notes-read-notes').expect(502)
    expect(broken.body.error).toBe('the answer of Notes was cut off; the call may have taken effect')
    const user = onward.user('refused')
    await user.connect('notes', { url: 'http://127.0.0.1:1' })
    const refused = await user.call('notes-read-notes').expect(502)
    expect(refused.body.error).toBe('Notes could not be reached; nothing was sent')
    expect(JSON.stringify([broken.body, refused.body])).not.toMatch(/127\.0\.0\.1|ECONN|:1\b/)
  })
})

import { subscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { openScriptedServer, type Script } from '@onward/testbed'
import { type Functions, openFunctions, type User, useFunctions } from '../support/support.ts'

/** Built once, because compressing 64 MiB is slow. */
const BOMB = gzipSync(Buffer.alloc(64 * 1_048_576))

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  await joe.connect('notes')
})
beforeEach(() => {
  onward.third.received.length = 0
})

/** Calls a function and returns the error response together with what was logged and counted. */
async function failed(user: User = joe, name = 'notes-read-notes', args: object = {}, at: Functions = onward) {
  const { status, body, headers } = await user.call(name, args)
  const callId = String(headers['x-call-id'])
  expect(body).toEqual({ error: expect.any(String), error_details: [], code: expect.any(String), request_id: expect.any(String) })
  const logged = await user.post(`/calls/${callId}/get`).expect(200)
  expect(logged.body).toMatchObject({ id: callId, function_name: name, network_code: null, duration_ms: expect.any(Number) })
  expect(logged.body).not.toHaveProperty('output')
  expect((await at.rows()).call_attempt).toBe(0)
  return { status, code: body.code, outcome: logged.body.outcome, counted: await at.counted(callId) }
}

const UNREACHABLE = { status: 502, code: 'upstream_unreachable', outcome: 'unreachable', counted: false }
const BROKEN = { status: 502, code: 'upstream_invalid', outcome: 'no_answer', counted: true }
const LATE = { status: 504, code: 'upstream_timeout', outcome: 'no_answer', counted: true }

describe('a call that could not be sent', () => {
  it.each([
    ['the connection is refused', 'http://127.0.0.1:1'],
    ['the name does not exist', 'http://nowhere.invalid'],
    ['the server does not speak TLS', 'tls'],
  ])('is answered 502 and logged but not counted when %s', async (_what, url) => {
    const user = onward.user(`to-${url}`)
    await user.connect('notes', { url: url === 'tls' ? onward.third.url.replace('http:', 'https:') : url })
    expect(await failed(user)).toEqual(UNREACHABLE)
  })

  it('is answered 502 without opening a socket when the address is not public', async () => {
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

  it('is retried until the server accepts connections, and then sent once, even as an ACTION', async () => {
    const later = await openScriptedServer()
    const { port } = new URL(later.url)
    await later.close()
    const user = onward.user('patient')
    await user.connect('notes', { url: later.url })
    let requests = 0
    const server = createServer((_request, response) => {
      requests++
      response.end('{}')
    })
    // undici reports each failed connection on this channel.
    const refused = new Promise<void>((resolve) => subscribe('undici:client:connectError', () => resolve()))
    const calling = user.call('notes-add-note', { note: {} }).then((response) => response)
    await refused
    await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
    expect((await calling).status).toBe(200)
    expect(requests).toBe(1)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('a call without a usable answer', () => {
  const scripts: [string, Script][] = [
    ['the connection closes before the headers', (_received, _response, request) => void request.socket.destroy()],
    [
      'the connection closes in the body',
      (_received, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"a":', () => response.destroy())
      },
    ],
    ['the answer is not HTTP', (_received, response) => void response.socket?.end('hello, this is no HTTP\r\n\r\n')],
    [
      'a header is 100 kB long',
      (_received, response) => void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
    ],
    [
      'there are too many headers',
      (_received, response) => void response.socket?.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\n`),
    ],
    [
      'the Content-Length is not a number',
      (_received, response) => void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: nine\r\n\r\n{}'),
    ],
    ['the body is larger than 10 MiB', (_received, response) => void response.end(Buffer.alloc(10 * 1_048_576 + 1, 'x'))],
    [
      'the body never ends',
      (_received, response) => {
        const chunk = Buffer.alloc(1_048_576, 'x')
        const more = () => void (response.destroyed || response.write(chunk, more))
        more()
      },
    ],
    ['the body is a gzip bomb', (_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)],
    ['the body is not valid gzip', (_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')],
    [
      'the gzip body is truncated',
      (_received, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}').subarray(0, 12)),
    ],
  ]

  it.each(scripts)('is answered 502, logged and counted when %s', async (_what, script) => {
    onward.third.respond(script)
    expect(await failed()).toEqual(BROKEN)
    expect(onward.third.received).toHaveLength(1)
  })

  it('is not sent again when it is an ACTION', async () => {
    onward.third.respond((_received, _response, request) => void request.socket.destroy())
    expect(await failed(joe, 'notes-add-note', { note: {} })).toEqual(BROKEN)
    expect(onward.third.received).toHaveLength(1)
  })
})

describe('a call without a complete answer before its deadline', () => {
  let shortDeadline: Functions
  let user: User
  beforeAll(async () => {
    shortDeadline = await openFunctions({ env: { CALL_TIMEOUT_MS: '1000' } })
    user = shortDeadline.user('joe')
    await user.connect('notes')
  })
  beforeEach(() => {
    shortDeadline.third.received.length = 0
  })

  const slow: [string, Script][] = [
    ['nothing arrives', () => {}],
    ['only the headers arrive', (_received, response) => void response.writeHead(200).flushHeaders()],
    [
      'the body arrives byte by byte',
      (_received, response) => {
        const timer = setInterval(() => response.write('x'), 100)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ]

  it.each(slow)('is answered 504, logged and counted when %s', async (_what, script) => {
    shortDeadline.third.respond(script)
    expect(await failed(user, 'notes-read-notes', {}, shortDeadline)).toEqual(LATE)
    expect(shortDeadline.third.received).toHaveLength(1)
  })
})

describe('the error response', () => {
  it('says whether the call may have taken effect, and reveals no address', async () => {
    onward.third.respond((_received, _response, request) => void request.socket.destroy())
    const broken = await joe.call('notes-read-notes').expect(502)
    expect(broken.body.error).toBe('the response of Notes was cut off; the call may have taken effect')
    const user = onward.user('refused')
    await user.connect('notes', { url: 'http://127.0.0.1:1' })
    const refused = await user.call('notes-read-notes').expect(502)
    expect(refused.body.error).toBe('Notes could not be reached; nothing was sent')
    expect(JSON.stringify([broken.body, refused.body])).not.toMatch(/127\.0\.0\.1|ECONN|:1\b/)
  })
})

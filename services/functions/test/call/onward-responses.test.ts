import { deflateSync, gzipSync } from 'node:zlib'
import { openScriptedServer, type Script, type ScriptedServer, sendJson } from '@onward/testbed'
import { openFunctions, SECRETS, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  for (const app of ['notes', 'desk'] as const) await joe.connect(app)
})
beforeEach(() => {
  onward.third.received.length = 0
})

function answers(body: string | Buffer, headers: Record<string, string> = {}, status = 200): void {
  onward.third.respond((_received, response) => response.writeHead(status, headers).end(body) as never)
}

const read = async (query = '') => (await joe.call('notes-read-notes', {}, query).expect(200)).body

describe('the answer to an onward call', () => {
  it.each([200, 201, 202, 305, 400, 401, 403, 404, 409, 418, 422, 500, 501, 502, 503, 504, 599])(
    'is returned with 200, logged and counted when its status is %i',
    async (status) => {
      answers('{"a":1}', {}, status)
      const before = await onward.rows()
      const { body, headers } = await joe.call('notes-read-notes').expect(200)
      expect(body).toEqual({ network_code: status, output: { a: 1 } })
      const logged = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
      expect(logged.body).toMatchObject({ outcome: 'answered', network_code: status, output: { a: 1 } })
      expect((await onward.rows()).call_log).toBe(before.call_log + 1)
      expect(onward.third.received).toHaveLength(1)
    },
  )

  it('gives a null output when it has no body', async () => {
    answers('', {}, 204)
    expect(await read()).toEqual({ network_code: 204, output: null })
  })

  it.each<[string, unknown]>([
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['[]', []],
    ['"text"', 'text'],
    ['5', 5],
    ['-1.5', -1.5],
    ['null', null],
    ['true', true],
    ['false', false],
    [' \n{"a":1}', { a: 1 }],
    ['\uFEFF{"bom":1}', { bom: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"__proto__":{"admin":true},"constructor":1}', JSON.parse('{"__proto__":{"admin":true},"constructor":1}')],
    ['{"a":1', '{"a":1'],
    ['{"a":NaN}', '{"a":NaN}'],
    ['{"a":1} trailing', '{"a":1} trailing'],
    ['<html><body>hello</body></html>', '<html><body>hello</body></html>'],
    ['plain text', 'plain text'],
    [' \n', null],
    ['\uFEFF \r\n\t', null],
  ])('of %j gives the output %j, whatever its content type', async (text, output) => {
    for (const type of ['application/json', 'text/html', 'nonsense']) {
      answers(text, { 'content-type': type })
      expect((await read()).output).toEqual(output)
    }
  })

  it('can contain NUL and lone surrogates', async () => {
    answers('{"a":"\\u0000\\ud800"}')
    const { body, headers } = await joe.call('notes-read-notes').expect(200)
    expect(body.output).toEqual({ a: '\u0000\ud800' })
    expect((await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)).body.output).toEqual(body.output)
  })

  it.each([100, 400, 499])('is passed on as JSON when it is nested %i levels deep', async (depth) => {
    answers('['.repeat(depth) + ']'.repeat(depth))
    expect(JSON.stringify((await read()).output)).toBe('['.repeat(depth) + ']'.repeat(depth))
  })

  it.each([501, 1_000, 3_000, 5_000, 7_000, 10_000, 200_000])('is passed on as text when it is nested %i levels deep', async (depth) => {
    for (const text of ['['.repeat(depth) + ']'.repeat(depth), '{"a":'.repeat(depth) + 1 + '}'.repeat(depth)]) {
      answers(text)
      expect((await read()).output).toBe(text)
    }
  })

  it('is passed on as text when it has more than 300,000 values and the function returns a part of it', async () => {
    const labels = async () => (await joe.call('desk-list-labels').expect(200)).body.output
    /** Returns a list with this many values in all. */
    const values = (many: number) =>
      `{"labels":[${Array(many - 2)
        .fill('0')
        .join(',')}]}`
    answers(values(300_000))
    expect(await labels()).toHaveLength(299_998)
    answers(values(300_001))
    expect(await labels()).toBe(values(300_001))
  })

  it('can contain any number of commas and brackets inside strings', async () => {
    const value = { [',:[{'.repeat(100_000)]: ['"[', `\\${'{"'.repeat(400_000)}\\`, ',:[{'.repeat(100_000)] }
    answers(JSON.stringify(value))
    expect((await read()).output).toEqual(value)
  })

  it.each([
    ['{}', 3],
    ['[]', 3],
    ['{"a":{}}', 9],
    ['0', 2],
  ])('is passed on as it came when gzip expands to 10 MB of %s', async (item, bytes) => {
    const text = `[${Array(Math.floor((10 * 1_048_576 - 1) / bytes))
      .fill(item)
      .join(',')}]`
    answers(gzipSync(text), { 'content-encoding': 'gzip', 'content-type': 'application/json' })
    const { text: answered } = await joe.call('notes-read-notes').expect(200)
    expect(answered === `{"network_code":200,"output":${text}}`).toBe(true)
  })

  it('is decompressed when it comes in gzip', async () => {
    answers(gzipSync('{"packed":true}'), { 'content-encoding': 'gzip' })
    expect((await read()).output).toEqual({ packed: true })
    expect(onward.third.received[0]?.headers['accept-encoding']).toContain('gzip')
  })

  it('does not pass on its headers', async () => {
    answers('{}', { 'set-cookie': 'a=b', 'x-secret': '1', 'www-authenticate': 'Basic' })
    const { headers } = await joe.call('notes-read-notes').expect(200)
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['set-cookie']))
    expect(headers).not.toHaveProperty('x-secret')
    expect(headers).not.toHaveProperty('www-authenticate')
  })

  it('is passed on when it has almost 10 MiB', async () => {
    const text = 'x'.repeat(10 * 1_048_576 - 2)
    answers(JSON.stringify(text))
    expect((await read()).output).toHaveLength(text.length)
  })

  it('gives the whole body when the part that the function selects is missing', async () => {
    answers('{"error":"none"}')
    expect((await joe.call('desk-list-labels').expect(200)).body.output).toEqual({ error: 'none' })
    answers('{"labels":[1]}')
    expect((await joe.call('desk-list-labels').expect(200)).body.output).toEqual([1])
  })
})

describe('X-Call-ID', () => {
  it('is the id of the row in the calls log', async () => {
    answers('{}')
    const { headers } = await joe.call('notes-read-notes').expect(200)
    expect(headers['x-call-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect((await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)).body.id).toBe(headers['x-call-id'])
  })

  it('is absent when nothing was executed', async () => {
    expect((await joe.call('desk-create-ticket', {}).expect(400)).headers).not.toHaveProperty('x-call-id')
  })
})

describe('a retry', () => {
  const times = (n: number, status: number, headers: Record<string, string>): Script => {
    let left = n
    return (_received, response) => {
      if (left-- > 0) response.writeHead(status, headers).end('{"again":true}')
      else sendJson(response, 200, { ok: true })
    }
  }

  it.each([429, 503])('follows when a QUERY is answered %i with Retry-After', async (status) => {
    onward.third.respond(times(1, status, { 'retry-after': '0' }))
    expect(await read()).toEqual({ network_code: 200, output: { ok: true } })
    expect(onward.third.received).toHaveLength(2)
  })

  it('does not count as another task', async () => {
    onward.third.respond(times(2, 503, { 'retry-after': '0' }))
    const before = await onward.rows()
    await read()
    expect((await onward.rows()).call_log).toBe(before.call_log + 1)
  })

  it('leaves the earlier answer, logged and counted, when it fails', async () => {
    onward.third.respond((_received, response) => {
      if (onward.third.received.length > 1) response.destroy()
      else response.writeHead(429, { 'retry-after': '0' }).end('{"slow":"down"}')
    })
    const { body, headers } = await joe.call('notes-read-notes').expect(200)
    expect(body).toEqual({ network_code: 429, output: { slow: 'down' }, meta: { retry_after: 0 } })
    expect(onward.third.received).toHaveLength(2)
    expect(await onward.counted(String(headers['x-call-id']))).toBe(true)
  })

  it('happens at most twice', async () => {
    onward.third.respond(times(9, 429, { 'retry-after': '0' }))
    expect(await read()).toEqual({ network_code: 429, output: { again: true }, meta: { retry_after: 0 } })
    expect(onward.third.received).toHaveLength(3)
  })

  it.each<[string, number, Record<string, string>, string]>([
    ['without Retry-After', 503, {}, 'notes-read-notes'],
    ['after a Retry-After that is not a number', 503, { 'retry-after': 'soon' }, 'notes-read-notes'],
    ['after another status', 500, { 'retry-after': '0' }, 'notes-read-notes'],
    ['by an ACTION', 503, { 'retry-after': '0' }, 'notes-add-note'],
    ['by a pass-through request', 429, { 'retry-after': '0' }, 'notes-passthrough-request'],
  ])('does not happen %s', async (_what, status, headers, name) => {
    onward.third.respond(times(1, status, headers))
    const args = { 'notes-add-note': { note: {} }, 'notes-passthrough-request': { url: '/x' } }[name] ?? {}
    expect((await joe.call(name, args).expect(200)).body.network_code).toBe(status)
    expect(onward.third.received).toHaveLength(1)
  })

  it('does not happen when the wait would pass the deadline of the call', async () => {
    const shortDeadline = await openFunctions({ env: { CALL_TIMEOUT_MS: '4000' } })
    const user = shortDeadline.user('joe')
    await user.connect('notes')
    // With a later deadline there would be a retry: the longest wait is five seconds.
    shortDeadline.third.respond(times(1, 503, { 'retry-after': '5' }))
    const startedAt = Date.now()
    expect((await user.call('notes-read-notes').expect(200)).body.network_code).toBe(503)
    expect(Date.now() - startedAt).toBeLessThan(5_000)
    expect(shortDeadline.third.received).toHaveLength(1)
  })
})

async function readBytes(bytes: Buffer, contentType: string | undefined): Promise<unknown> {
  onward.third.respond(
    (_received, response) => void response.writeHead(200, contentType === undefined ? {} : { 'content-type': contentType }).end(bytes),
  )
  return (await joe.call('desk-list-labels').expect(200)).body.output
}

describe('the output of a binary answer', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), deflateSync(Buffer.alloc(200, 3))])

  it.each(['image/png', 'application/octet-stream', 'application/pdf; x=y', 'audio/mpeg'])(
    'is base64 when the content type is %s',
    async (type) => {
      expect(await readBytes(png, type)).toEqual({ content_type: type, base64: png.toString('base64') })
    },
  )

  it('is JSON when the body parses as JSON, whatever its content type', async () => {
    expect(await readBytes(Buffer.from('{"a":[1]}'), 'application/octet-stream')).toEqual({ a: [1] })
  })

  it('is text when the content type has a character set', async () => {
    expect(await readBytes(Buffer.from('-é'), 'application/vnd.github.diff; charset=utf-8')).toBe('-é')
  })

  it('is text when the body looks like JSON but is nested too deeply', async () => {
    const text = '['.repeat(600) + ']'.repeat(600)
    expect((await readBytes(Buffer.from(text), 'application/octet-stream')) === text).toBe(true)
    const bytes = Buffer.from(`${text}\xff`, 'latin1')
    expect(await readBytes(bytes, 'application/octet-stream')).toEqual({
      content_type: 'application/octet-stream',
      base64: bytes.toString('base64'),
    })
  })

  it('is base64 when the body only starts like JSON', async () => {
    const bytes = Buffer.from('{\\rtf1 hello}')
    expect(await readBytes(bytes, 'application/rtf')).toEqual({ content_type: 'application/rtf', base64: bytes.toString('base64') })
  })

  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  const pdf = latin1('%PDF-1.5\r\n\xe2\xe3\xcf\xd3\r\n%%EOF')

  it.each<[string | undefined, Buffer]>([
    [undefined, pdf],
    ['nonsense', pdf],
    ['text/plain', pdf],
    ['text/html; charset=utf-8', pdf],
    ['text/plain; charset="nonsense"', pdf],
    ['application/json', latin1('{"name":"caf\xe9"}')],
    ['application/vnd.api+json; charset=UTF-8', latin1('["\xff\xfe"]')],
    ['application/octet-stream', latin1('{"name":"caf\xe9"}')],
    ['text/csv; charset=utf-16le', Buffer.from('61000ad8', 'hex')],
    ['text/csv; charset=utf-16le', Buffer.from('610062', 'hex')],
    ['text/plain; charset=shift_jis', Buffer.from('61fd', 'hex')],
  ])('is base64 when the bytes are not valid in their character set: %s', async (type, bytes) => {
    const output = { content_type: type ?? 'application/octet-stream', base64: bytes.toString('base64') }
    expect(await readBytes(bytes, type)).toEqual(output)
  })

  it('is redacted text when the body is not valid in its character set and contains a secret', async () => {
    const text = `key=${SECRETS.desk.api_key}`
    expect(await readBytes(latin1(`${text}\xff`), 'text/plain')).toBe('key=[redacted]\ufffd')
    const cutOff = Buffer.concat([Buffer.from(text, 'utf16le'), Buffer.from('a')])
    expect(await readBytes(cutOff, 'text/plain; charset=utf-16le')).toBe('key=[redacted]\ufffd')
  })

  it('is redacted text when the body contains a secret', async () => {
    expect(await readBytes(Buffer.from(`key=${SECRETS.desk.api_key}`), 'application/octet-stream')).toBe('key=[redacted]')
  })

  it('is decoded with the declared character set when the body is text', async () => {
    expect(await readBytes(Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'text/plain; charset=ISO-8859-1')).toBe('café')
    expect(await readBytes(Buffer.from('café'), 'text/plain; charset="nonsense"')).toBe('café')
    expect(await readBytes(Buffer.from('café', 'utf16le'), "text/csv; charset='utf-16le'")).toBe('café')
    const bigEndian = Buffer.from('\ufeffcafé', 'utf16le').swap16()
    for (const charset of ['utf-16', 'utf-16be']) expect(await readBytes(bigEndian, `text/csv; charset=${charset}`)).toBe('café')
    for (const charset of ['windows-1252', 'iso-8859-1', 'latin1']) {
      expect(await readBytes(Buffer.from('80938194ff', 'hex'), `text/csv; charset=${charset}`)).toBe('€“\u0081”ÿ')
    }
  })
})

describe('the wait that an app asks for', () => {
  it.each<[string, number | undefined]>([
    ['30', 30],
    ['1.2', 2],
    ['soon', undefined],
    ['86400', 86_400],
  ])('is in meta and in the header when Retry-After is %s', async (retryAfter, seconds) => {
    answers('{"slow":"down"}', { 'retry-after': retryAfter }, 429)
    for (const headers of [{}, { 'Idempotency-Key': `wait-${retryAfter}` }]) {
      const response = await joe.call('notes-passthrough-request', { url: '/x' }).set(headers).expect(200)
      expect([response.body.network_code, response.body.meta?.retry_after]).toEqual([429, seconds])
      expect(response.headers['retry-after']).toBe(seconds === undefined ? undefined : String(seconds))
    }
  })

  it.each([202, 403, 409, 502])('is also in meta when the status is %i', async (status) => {
    answers('{}', { 'retry-after': '30' }, status)
    expect((await read()).meta).toEqual({ retry_after: 30 })
  })
})

describe('a redirect', () => {
  let other: ScriptedServer
  beforeAll(async () => {
    other = await openScriptedServer()
  })
  afterAll(() => other.close())
  beforeEach(() => {
    other.received.length = 0
    other.respond(
      (_received, response) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.from([1, 2, 255])),
    )
  })
  const bytes = { content_type: 'application/pdf', base64: Buffer.from([1, 2, 255]).toString('base64') }

  it.each([301, 302, 303, 307, 308])(
    'with status %i of a function that reads is followed to another host without credentials',
    async (status) => {
      await joe.connect('desk')
      onward.third.respond((_received, response) => void response.writeHead(status, { location: `${other.url}/file?signed=1` }).end())
      const { body } = await joe.call('desk-get-ticket', { ticket_id: '1' }).expect(200)
      expect(body).toEqual({ network_code: 200, output: bytes })
      expect(other.received.map(({ method, url }) => [method, url])).toEqual([['GET', '/file?signed=1']])
      expect(other.received[0]?.headers.accept).toBe('*/*')
      expect(JSON.stringify(other.received[0]?.headers)).not.toContain(SECRETS.desk.api_key)
      expect(JSON.stringify(onward.third.received.at(-1)?.headers)).toContain(SECRETS.desk.api_key)
    },
  )

  it('is followed with credentials on the same host, at most three times', async () => {
    const third = onward.third
    third.respond((received, response) => void response.writeHead(302, { location: `${received.url}x` }).end())
    const from = third.received.length
    const { body } = await joe.call('desk-get-ticket', { ticket_id: '1' }).expect(200)
    expect(body).toMatchObject({ network_code: 302, output: null, meta: { location: expect.stringContaining('xxxx') } })
    const sent = third.received.slice(from)
    expect(sent).toHaveLength(4)
    for (const { headers } of sent) expect(JSON.stringify(headers)).toContain(SECRETS.desk.api_key)
  })

  it.each([
    ['javascript:alert(1)', 'desk-get-ticket'],
    ['http://name:pass@127.0.0.1:1/x', 'desk-get-ticket'],
    ['http://127.0.0.1:1/closed', 'desk-get-ticket'],
    ['/elsewhere', 'notes-passthrough-request'],
    [`/elsewhere?key=${SECRETS.desk.api_key}`, 'desk-passthrough-request'],
  ])('to %s is not lost when %s does not follow it', async (location, name) => {
    onward.third.respond((_received, response) => void response.writeHead(302, { location }).end())
    const { body } = await joe.call(name, name.endsWith('request') ? { url: '/x' } : { ticket_id: '1' }).expect(200)
    expect(body).toEqual({ network_code: 302, output: null, meta: { location: location.replace(SECRETS.desk.api_key, '[redacted]') } })
  })
})

describe('a response with status 403', () => {
  const NEEDED = [['tickets.read'], ['tickets', 'people.read']]

  it('comes with the scopes that the function needs', async () => {
    onward.third.respond((_received, response) => sendJson(response, 403, { message: 'no' }))
    const { body } = await joe.call('desk-get-ticket', { ticket_id: '1' }).expect(200)
    expect(body).toEqual({ network_code: 403, output: { message: 'no' }, meta: { needed_scopes: NEEDED } })
    const batch = await joe.post('/functions/batch-call', { calls: [{ function_name: 'desk-get-ticket', arguments: { ticket_id: '1' } }] })
    expect(batch.body.results?.[0]?.result?.meta).toEqual({ needed_scopes: NEEDED })
  })

  it('names no scopes if the app file has none, or if the app asks to wait', async () => {
    onward.third.respond((_received, response) => sendJson(response, 403, { message: 'no' }))
    expect((await joe.call('desk-list-labels').expect(200)).body.meta).toBeUndefined()
    onward.third.respond((_received, response) => {
      response.setHeader('Retry-After', '7')
      sendJson(response, 403, { message: 'later' })
    })
    expect((await joe.call('desk-get-ticket', { ticket_id: '1' }).expect(200)).body.meta?.needed_scopes).toBeUndefined()
    onward.third.respond((_received, response) => sendJson(response, 404, { message: 'no' }))
    expect((await joe.call('desk-get-ticket', { ticket_id: '1' }).expect(200)).body.meta).toBeUndefined()
  })

  it('has the scopes that include=meta lists', async () => {
    const metaOf = async (name: string) => (await joe.post(`/functions/${name}/get?include=meta`).expect(200)).body.meta
    expect((await metaOf('desk-get-ticket')).scopes).toEqual(NEEDED)
    expect(await metaOf('desk-list-labels')).not.toHaveProperty('scopes')
  })
})

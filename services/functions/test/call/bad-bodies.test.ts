import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { eventually } from '@onward/testbed'
import request from 'supertest'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  await joe.connect('notes')
})

const PATH = '/functions/notes-add-note/call'

/** Sends these bytes with these headers and no others. */
function send(bytes: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }, path = PATH) {
  return request(onward.url)
    .post(path)
    .set({ ...joe.headers, ...headers })
    .serialize((body) => body)
    .send(Buffer.from(bytes))
}

function noteOf(bytes: number): string {
  const empty = '{"note":{"text":""}}'
  return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`)
}

describe('a request body', () => {
  it('is refused with 413 when it is larger than 1 MiB', async () => {
    await send(noteOf(1_048_576)).expect(200)
    const { body } = await send(noteOf(1_048_577)).expect(413)
    expect(body).toEqual({ error: 'the body is too large', error_details: [], code: 'body_too_large', request_id: expect.any(String) })
    await send(noteOf(5_000_000)).expect(413)
    await send(`note[a]=${'x'.repeat(1_048_576)}`, { 'content-type': 'application/x-www-form-urlencoded' }).expect(413)
  })

  it('is refused with 413 when it is larger than 1 MiB after decompression', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    await send(gzipSync(noteOf(1_000_000)), headers).expect(200)
    await send(gzipSync(noteOf(1_048_577)), headers).expect(413)
    await send(gzipSync(Buffer.alloc(50_000_000, ' ')), headers).expect(413)
  })

  it('is refused with 413 when it is a form of 10,000 fields', async () => {
    const fields = Array.from({ length: 10_000 }, (_, i) => `a${i}=1`).join('&')
    expect((await send(fields, { 'content-type': 'application/x-www-form-urlencoded' }).expect(413)).body.code).toBe('body_too_large')
  })

  it('is refused with 413 when it is too large and sent in chunks without a length', async () => {
    const { status } = await fetch(`${onward.url}${PATH}`, {
      method: 'POST',
      headers: { ...joe.headers, 'content-type': 'application/json' },
      body: new Blob([noteOf(1_100_000)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(status).toBe(413)
  })
})

describe('calling a function', () => {
  it.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    'text/json',
    'nonsense',
    'application/json; charset=latin1',
    'application/json; charset=nonsense',
    'application/json; charset=utf-7',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded; charset=utf-7',
    'application/x-www-form-urlencoded; charset=utf-16',
  ])('refuses the Content-Type %s with 415', async (type) => {
    expect((await send('{"note":{}}', { 'content-type': type }).expect(415)).body.code).toBe('unsupported_media_type')
  })

  it('refuses a body without a Content-Type with 415', async () => {
    const response = await fetch(`${onward.url}${PATH}`, { method: 'POST', headers: joe.headers, body: Buffer.from('{"note":{}}') })
    expect(response.status).toBe(415)
  })

  it.each(['nonsense', 'gzip, gzip'])('refuses the Content-Encoding %s with 415', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    expect((await send('{"note":{}}', headers).expect(415)).body.code).toBe('unsupported_media_type')
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'])(
    'accepts %s as JSON',
    async (type) => {
      await send('{"note":{}}', { 'content-type': type }).expect(200)
    },
  )

  it('reads an empty body as an empty object, whatever its Content-Type', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data', 'nonsense']) {
      await send('', { 'content-type': type }, '/functions/notes-read-notes/call').expect(200)
    }
  })
})

describe('a JSON body', () => {
  it.each<[string, string | Buffer]>([
    ['is truncated', '{"note":{}'],
    ['has text after its end', '{"note":{}} x'],
    ['has a trailing comma', '{"note":{},}'],
    ['uses single quotes', "{'note':{}}"],
    ['has keys without quotes', '{note:{}}'],
    ['contains a comment', '{"note":{} /* */}'],
    ['contains two documents', '{"note":{}}{"note":{}}'],
    ['contains NaN', '{"note":{"a":NaN}}'],
    ['has a raw line break in a string', '{"note":{"a":"x\ny"}}'],
    ['has an invalid escape sequence', '{"note":{"a":"\\x41"}}'],
    ['is in fact a form', 'note[a]=1'],
    ['contains only spaces', '   '],
    ['is a single NUL character', '\u0000'],
    ['is the word undefined', 'undefined'],
  ])('is refused with 400 invalid_body when it %s', async (_what, bytes) => {
    const { body } = await send(bytes).expect(400)
    const error_details = [expect.stringMatching(/^body: is not valid at line \d+, column \d+: expected [^:]+$/)]
    expect(body).toEqual({ error: 'the body is not valid JSON', error_details, code: 'invalid_body', request_id: expect.any(String) })
  })

  it.each([
    ['{"note": {},\n  "x" 1}', 'line 2, column 7: expected a colon'],
    ['{"note": {"s3cret": }}', 'line 1, column 21: expected a value'],
    ['{"note": {}', 'line 1, column 12: expected a comma or }'],
    ['{"note": [1 2]}', 'line 1, column 13: expected a comma or ]'],
    ['{"note": {},}', 'line 1, column 13: expected a key in double quotes'],
    ['{"note": "a\nb"}', 'line 1, column 10: expected a text that ends, without line breaks and with valid escapes'],
    ['{"no\nte": 1}', 'line 1, column 2: expected a text that ends, without line breaks and with valid escapes'],
    ['{"note": 1} x', 'line 1, column 13: expected the end'],
    ['{"note": 1.}', 'line 1, column 10: expected a value'],
  ])('is refused with the place of the mistake: %j', async (bytes, place) => {
    expect((await send(bytes).expect(400)).body.error_details).toEqual([`body: is not valid at ${place}`])
  })

  it('is refused with 400 when its Content-Encoding is gzip but its bytes are not', async () => {
    await send('{"note":{}}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }).expect(400)
  })

  it.each([
    ['begins with a byte order mark', '\uFEFF{"note":{}}', 'the body must not begin with a byte order mark'],
    ['has a key twice', '{"note":{"a":1,"a":1}}', 'the body has an object with a key twice'],
    ['is compressed without a Content-Encoding', gzipSync('{"note":{}}'), 'the body is not valid UTF-8'],
    ['is not UTF-8', Buffer.from('{"note":{"a":"\xff"}}', 'latin1'), 'the body is not valid UTF-8'],
  ])('is refused with 400 when it %s', async (_what, bytes, error) => {
    const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    for (const sent of [send(bytes), send(gzipSync(bytes), gzip)]) {
      expect((await sent.expect(400)).body).toEqual({ error, error_details: [], code: 'invalid_body', request_id: expect.any(String) })
    }
  })

  it.each(['5', '"x"', 'true', 'null', '[]', '[{"note":{}}]'])(
    'is refused with 400 when it is %s, which is not an object',
    async (text) => {
      expect((await send(text).expect(400)).body.error_details).toEqual(['body: must be an object'])
    },
  )

  const nested = (levels: number) => `{"note":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`

  it('is refused with 400 when it is nested deeper than 64 levels', async () => {
    await send(nested(62)).expect(200)
    for (const levels of [63, 64, 10_000, 500_000]) {
      const { body } = await send(nested(levels)).expect(400)
      expect(body).toEqual({
        error: 'the body is nested deeper than 64 levels',
        error_details: [],
        code: 'invalid_body',
        request_id: expect.any(String),
      })
    }
  })

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"note":{"__proto__":{"admin":true}}}',
    '{"note":{"a":[{"__proto__":1}]}}',
    '{"note":{},"_variables":{"__proto__":{"x":1}}}',
    '{"\\u005f_proto__":{}}',
  ])('is refused with 400 when it contains the key __proto__: %s', async (text) => {
    expect((await send(text).expect(400)).body.code).toBe('invalid_body')
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  it('keeps keys such as constructor and toString as plain data', async () => {
    const note = { constructor: { prototype: { admin: 1 } }, hasOwnProperty: 1, toString: 'x', toJSON: 5, length: -1 }
    await send(JSON.stringify({ note })).expect(200)
    expect(JSON.parse(onward.third.received.at(-1)?.body ?? '')).toEqual({ note })
  })

  it('is refused with 400 when it has very many unknown keys', async () => {
    const withKeys = (count: number) => send(`{${Array.from({ length: count }, (_, i) => `"a${i}":1`).join(',')}}`)
    const { body } = await withKeys(26_000).expect(400)
    expect([body.code, body.error_details.length, body.error_details.at(-1)]).toEqual(['invalid_parameters', 51, 'body: has more problems'])
    expect((await withKeys(80_000).expect(400)).body).toMatchObject({ code: 'invalid_body', error: 'the body has more than 26214 keys' })
  })
})

describe('a form body', () => {
  const form = (text: string) => send(text, { 'content-type': 'application/x-www-form-urlencoded' })

  it('is refused with 400 when it is nested 100 levels deep', async () => {
    expect((await form(`note${'[a]'.repeat(100)}=1`).expect(400)).body.code).toBe('invalid_body')
  })

  it.each(['__proto__[admin]=1&note[a]=1', 'note[__proto__][admin]=1&note[a]=1', 'note[constructor][prototype][admin]=1'])(
    'changes no prototype when it is %s',
    async (text) => {
      await form(text).expect(200)
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
      expect(onward.third.received.at(-1)?.body).not.toContain('__proto__')
    },
  )

  it.each(['note', 'note=', '=', '&&&', 'note=1&note=2', 'note[]=1', '%', '%zz=%', 'a=%00', '[]=1', ']=1'])(
    'is refused with 400 when it is %s',
    async (text) => {
      expect((await form(text).expect(400)).body.code).toMatch(/^invalid_(parameters|body)$/)
    },
  )
})

describe('a request that is cut off', () => {
  it('is not treated as a request without a body when it ends before its first chunk', async () => {
    const before = await onward.rows()
    const received = onward.third.received.length
    const { hostname, port } = new URL(onward.url)
    const socket = connect(Number(port), hostname)
    const headers = Object.entries({ Host: hostname, 'Transfer-Encoding': 'chunked', ...joe.headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    await new Promise<void>((resolve) =>
      socket.write(`POST /functions/notes-read-notes/call HTTP/1.1\r\n${headers.join('')}\r\n`, () => resolve()),
    )
    // Once a second request has been answered, the first one has been read.
    await joe.call('notes-read-notes').expect(200)
    socket.destroy()
    await joe.call('notes-read-notes').expect(200)
    await eventually(async () => expect((await onward.rows()).call_log).toBe(before.call_log + 2))
    expect(onward.third.received).toHaveLength(received + 2)
  })
})

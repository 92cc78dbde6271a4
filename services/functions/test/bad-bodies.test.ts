import { gzipSync } from 'node:zlib'
import request from 'supertest'
import { type Functions, openFunctions, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
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

describe('a body that is too large', () => {
  it('has more than 1 MiB: 413', async () => {
    await send(noteOf(1_048_576)).expect(200)
    const { body } = await send(noteOf(1_048_577)).expect(413)
    expect(body).toEqual({ error: 'the body is too large', error_details: [], code: 'body_too_large' })
    await send(noteOf(5_000_000)).expect(413)
    await send(`note[a]=${'x'.repeat(1_048_576)}`, { 'content-type': 'application/x-www-form-urlencoded' }).expect(413)
  })

  it('has it only when it is unpacked: 413', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    await send(gzipSync(noteOf(1_000_000)), headers).expect(200)
    await send(gzipSync(noteOf(1_048_577)), headers).expect(413)
    await send(gzipSync(Buffer.alloc(50_000_000, ' ')), headers).expect(413)
  })

  it('is a form of ten thousand fields: 413', async () => {
    const fields = Array.from({ length: 10_000 }, (_, i) => `a${i}=1`).join('&')
    expect((await send(fields, { 'content-type': 'application/x-www-form-urlencoded' }).expect(413)).body.code).toBe('body_too_large')
  })

  it('comes in pieces without a length: 413', async () => {
    const { status } = await fetch(`${onward.url}${PATH}`, {
      method: 'POST',
      headers: { ...joe.headers, 'content-type': 'application/json' },
      body: new Blob([noteOf(1_100_000)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(status).toBe(413)
  })
})

describe('a body of another kind', () => {
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
    'application/x-www-form-urlencoded; charset=utf-16',
  ])('%s: 415', async (type) => {
    expect((await send('{"note":{}}', { 'content-type': type }).expect(415)).body.code).toBe('unsupported_media_type')
  })

  it('without a Content-Type: 415', async () => {
    const answer = await fetch(`${onward.url}${PATH}`, { method: 'POST', headers: joe.headers, body: Buffer.from('{"note":{}}') })
    expect(answer.status).toBe(415)
  })

  it.each(['nonsense', 'gzip, gzip'])('encoded as %s: 415', async (encoding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    expect((await send('{"note":{}}', headers).expect(415)).body.code).toBe('unsupported_media_type')
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'])(
    '%s is JSON',
    async (type) => {
      await send('{"note":{}}', { 'content-type': type }).expect(200)
    },
  )

  it('that is not there is an empty object, whatever its Content-Type', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data', 'nonsense']) {
      await send('', { 'content-type': type }, '/functions/notes-read-notes/call').expect(200)
    }
  })
})

describe('JSON', () => {
  it.each<[string, string | Buffer]>([
    ['that is cut off', '{"note":{}'],
    ['with trailing garbage', '{"note":{}} x'],
    ['with a comma too many', '{"note":{},}'],
    ['in single quotes', "{'note':{}}"],
    ['without quotes', '{note:{}}'],
    ['with a comment', '{"note":{} /* */}'],
    ['that is twice there', '{"note":{}}{"note":{}}'],
    ['with NaN', '{"note":{"a":NaN}}'],
    ['with a raw line break in a text', '{"note":{"a":"x\ny"}}'],
    ['with a bad escape', '{"note":{"a":"\\x41"}}'],
    ['that is a form', 'note[a]=1'],
    ['that is blank', '   '],
    ['that is a NUL', '\u0000'],
    ['that is gzip', gzipSync('{"note":{}}')],
    ['that is undefined', 'undefined'],
  ])('%s: 400 invalid_body', async (_what, bytes) => {
    const { body } = await send(bytes).expect(400)
    expect(body).toEqual({ error: 'the body is not valid JSON', error_details: [], code: 'invalid_body' })
  })

  it('that says gzip and is not: 400', async () => {
    await send('{"note":{}}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }).expect(400)
  })

  it('may begin with a BOM', async () => {
    await send('\uFEFF{"note":{}}').expect(200)
  })

  it.each(['5', '"x"', 'true', 'null', '[]', '[{"note":{}}]'])('%s is no object: 400', async (text) => {
    expect((await send(text).expect(400)).body.error_details).toEqual(['body: must be an object'])
  })

  const nested = (levels: number) => `{"note":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`

  it('may be nested 64 levels deep and no deeper', async () => {
    await send(nested(62)).expect(200)
    for (const levels of [63, 64, 10_000, 500_000]) {
      const { body } = await send(nested(levels)).expect(400)
      expect(body).toEqual({ error: 'the body is nested deeper than 64 levels', error_details: [], code: 'invalid_body' })
    }
  })

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"note":{"__proto__":{"admin":true}}}',
    '{"note":{"a":[{"__proto__":1}]}}',
    '{"note":{},"_variables":{"__proto__":{"x":1}}}',
    '{"\\u005f_proto__":{}}',
  ])('with the key __proto__ is refused: %s', async (text) => {
    expect((await send(text).expect(400)).body.code).toBe('invalid_body')
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  it('passes other such keys on as what they are', async () => {
    const note = { constructor: { prototype: { admin: 1 } }, hasOwnProperty: 1, toString: 'x', toJSON: 5, length: -1 }
    await send(JSON.stringify({ note })).expect(200)
    expect(JSON.parse(onward.third.received.at(-1)?.body ?? '')).toEqual({ note })
  })

  it('with eighty thousand unknown keys is refused', async () => {
    const keys = Array.from({ length: 80_000 }, (_, i) => `"a${i}":1`)
    const { body } = await send(`{${keys.join(',')}}`).expect(400)
    expect(body.code).toBe('invalid_parameters')
  })
})

describe('a form', () => {
  const form = (text: string) => send(text, { 'content-type': 'application/x-www-form-urlencoded' })

  it('nested a hundred levels deep is refused', async () => {
    expect((await form(`note${'[a]'.repeat(100)}=1`).expect(400)).body.code).toBe('invalid_body')
  })

  it.each(['__proto__[admin]=1&note[a]=1', 'note[__proto__][admin]=1&note[a]=1', 'note[constructor][prototype][admin]=1'])(
    'changes no prototype: %s',
    async (text) => {
      await form(text).expect(200)
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
      expect(onward.third.received.at(-1)?.body).not.toContain('__proto__')
    },
  )

  it.each(['note', 'note=', '=', '&&&', 'note=1&note=2', 'note[]=1', '%', '%zz=%', 'a=%00', '[]=1', ']=1'])(
    '%s is refused',
    async (text) => {
      expect((await form(text).expect(400)).body.code).toMatch(/^invalid_(parameters|body)$/)
    },
  )
})

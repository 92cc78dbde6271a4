import zlib, { brotliCompressSync, gzipSync } from 'node:zlib'
import express from 'express'
import request from 'supertest'
import { type Listening, listen, openLog, readBody, sendErrors } from '../src/index.ts'
import { sendRaw } from './tcp.ts'

const LIMIT = 100_000
const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'

const app = express()
app.use(...readBody(LIMIT))
app.post('/', (req, res) => {
  res.json({ got: req.body })
})
app.use(sendErrors(openLog('test', 'silent')))

/** Node 22.15 and later decode zstd. The types are for Node 20. */
const zstd = (zlib as { zstdCompressSync?: (bytes: string | Buffer) => Buffer }).zstdCompressSync

const post = (type: string, body: string | Buffer, encoding = 'identity') =>
  request(app)
    .post('/')
    .set({ 'content-type': type, 'content-encoding': encoding })
    .serialize((sent) => sent)
    .send(body)

/** Returns `depth` nested objects. */
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

/** Returns an object with `keys` different keys. */
const objectOf = (keys: number) => `{${Array.from({ length: keys }, (_, i) => `"k${i}":0`).join(',')}}`

describe('readBody', () => {
  it('reads JSON values of every type, and forms', async () => {
    for (const value of [{ a: [1, 'é', null] }, [1], 'text', 7, true, null]) {
      expect((await post(JSON_TYPE, JSON.stringify(value))).body).toEqual({ got: value })
    }
    const form = await post(FORM, 'a=1&b[c]=%C3%A9&d[]=x&d[]=y')
    expect(form.body).toEqual({ got: { a: '1', b: { c: 'é' }, d: ['x', 'y'] } })
  })

  it.each(['gzip', 'br'])('reads a body that is compressed with %s', async (encoding) => {
    const body = (encoding === 'gzip' ? gzipSync : brotliCompressSync)('{"a":1}')
    expect((await post(JSON_TYPE, body, encoding)).body).toEqual({ got: { a: 1 } })
  })

  it.each([
    ['no JSON', '{"a":', 400, 'invalid_body'],
    ['something after the JSON', '{"a":1}x', 400, 'invalid_body'],
    ['two values', '{}{}', 400, 'invalid_body'],
    ['NaN', '{"a":NaN}', 400, 'invalid_body'],
    ['64 levels', nested(64), 200, undefined],
    ['65 levels', nested(65), 400, 'invalid_body'],
    ['as many levels as fit', '['.repeat(LIMIT / 2) + ']'.repeat(LIMIT / 2), 400, 'invalid_body'],
    ['__proto__', '{"a":[{"__proto__":{"b":1}}]}', 400, 'invalid_body'],
    ['an escaped __proto__', '{"__pr\\u006fto__":1}', 400, 'invalid_body'],
    ['a key twice', '{"a":1,"a":1}', 400, 'invalid_body'],
    ['a key twice, once escaped', '{"b":[{"\\u0061":1,"a":{"a":2}}]}', 400, 'invalid_body'],
    ['the same key in two objects', '{"a":{"a":1},"b":[{"a":":{"},{"a":"\\":,"}]}', 200, undefined],
    ['a byte order mark', '\uFEFF{"a":1}', 400, 'invalid_body'],
    ['two bytes that are no UTF-8', Buffer.from('{"a":"\xc3\x28"}', 'latin1'), 400, 'invalid_body'],
    ['half of a character', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'), 400, 'invalid_body'],
    ['2,500 keys', objectOf(2_500), 200, undefined],
    ['2,501 keys', objectOf(2_501), 400, 'invalid_body'],
    ['10,000 values with the list', `[${'0,'.repeat(9_998)}0]`, 200, undefined],
    ['10,001 values with the list', `[${'0,'.repeat(9_999)}0]`, 400, 'invalid_body'],
    ['many commas in a text', JSON.stringify(',:[{"'.repeat(10_000)), 200, undefined],
    ['constructor, a key as any other', '{"constructor":{"prototype":1}}', 200, undefined],
    ['as much as is allowed', `"${'x'.repeat(LIMIT - 2)}"`, 200, undefined],
    ['one byte more', `"${'x'.repeat(LIMIT - 1)}"`, 413, 'body_too_large'],
  ])('answers JSON with %s as expected', async (_name, text, status, code) => {
    const { body } = await post(JSON_TYPE, text).expect(status)
    expect(body.code).toBe(code)
    if (code !== undefined) expect(body.error).not.toMatch(/JSON at position|Unexpected/)
  })

  it.each([
    ['1 001 fields', Array.from({ length: 1_001 }, (_, i) => `f${i}=1`).join('&'), 413, 'body_too_large'],
    ['100 levels', `a${'[b]'.repeat(100)}=1`, 400, 'invalid_body'],
    ['too many bytes', `a=${'x'.repeat(LIMIT)}`, 413, 'body_too_large'],
    ['a byte order mark', '\uFEFFa=1', 400, 'invalid_body'],
    ['an object in JSON', '{"a":[1]}', 400, 'invalid_body'],
    ['an array in JSON', '[{"a":1}]', 400, 'invalid_body'],
    ['bytes that are no UTF-8', Buffer.from('a=\xff', 'latin1'), 400, 'invalid_body'],
    ['percent-encoded bytes that are no UTF-8', 'a=caf%E9', 400, 'invalid_body'],
    ['percent-encoded bytes that are UTF-8, and a percent sign', 'a=caf%C3%A9&b=100%', 200, undefined],
  ])('answers a form with %s as expected', async (_name, text, status, code) => {
    const { body } = await post(FORM, text).expect(status)
    expect(body.code).toBe(code)
  })

  it('ignores a form field named __proto__', async () => {
    const { body } = await post(FORM, '__proto__[polluted]=1&constructor[prototype][polluted]=1&a=1')
    expect(body).toMatchObject({ got: { a: '1' } })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml', 'nonsense'])(
    'answers 415 to a body of the type %j',
    async (type) => {
      const { body } = await post(type, '{"a":1}').expect(415)
      expect(body.code).toBe('unsupported_media_type')
    },
  )

  it.each([
    ...['utf-99', 'utf-7', 'utf-16', 'UTF-16LE', 'utf-32', 'utf-8-bom', 'latin1', 'us-ascii', '"utf-7"'].flatMap((charset) =>
      [JSON_TYPE, FORM].map((type): [string, string] => [`${type}; charset=${charset}`, 'identity']),
    ),
    [JSON_TYPE, 'zip'],
  ])('answers 415 to the type %s with the encoding %s', async (type, encoding) => {
    const { body } = await post(type, '{"a":1}', encoding).expect(415)
    expect(body.code).toBe('unsupported_media_type')
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000, 32))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000, 32))],
  ])('answers 413 to a zip bomb in %s without delay', async (encoding, bomb) => {
    const { body } = await post(JSON_TYPE, bomb, encoding).expect(413)
    expect(body.code).toBe('body_too_large')
  })

  it(`${zstd === undefined ? 'answers 415 to' : 'reads'} a body that is encoded with zstd`, async () => {
    if (zstd === undefined) {
      const { body } = await post(JSON_TYPE, '{"a":1}', 'zstd').expect(415)
      expect(body.code).toBe('unsupported_media_type')
      return
    }
    expect((await post(JSON_TYPE, zstd('{"a":1}'), 'zstd').expect(200)).body).toEqual({ got: { a: 1 } })
    const { body } = await post(JSON_TYPE, zstd(Buffer.alloc(50_000_000, 32)), 'zstd').expect(413)
    expect(body.code).toBe('body_too_large')
  })

  it.each([
    ['byte order mark', '\uFEFF{"a":1}'],
    ['key twice', '{"a":1,"a":1}'],
    ['valid UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
    ['nested deeper', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['more than 2500 keys', objectOf(2_501)],
  ])('answers 400 to a compressed body as to one that is not: %s', async (problem, text) => {
    const { body } = await post(JSON_TYPE, gzipSync(text), 'gzip').expect(400)
    expect([body.code, body.error]).toEqual(['invalid_body', expect.stringContaining(problem)])
  })

  it('answers 400 to a body that is not in its declared encoding', async () => {
    const { body } = await post(JSON_TYPE, '{"a":1}', 'gzip').expect(400)
    expect(body.code).toBe('invalid_body')
  })
})

describe('readBody, without a body', () => {
  let server: Listening
  beforeAll(async () => {
    server = await listen(app, '127.0.0.1', 0)
  })
  afterAll(async () => await server.close(0))

  const types = [undefined, JSON_TYPE, FORM, 'text/plain', 'multipart/form-data', `${JSON_TYPE}; charset=utf-99`]
  const framings = { 'no length': [], 'length 0': ['Content-Length: 0'], 'no chunk': ['Transfer-Encoding: chunked'] }

  it.each(types.flatMap((type) => Object.entries(framings).map(([name, framing]) => [name, type, framing] as const)))(
    'reads {} with %s and the type %s',
    async (name, type, framing) => {
      const head = ['POST / HTTP/1.1', 'Host: x', 'Connection: close', ...framing, ...(type === undefined ? [] : [`Content-Type: ${type}`])]
      const response = await sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n${name === 'no chunk' ? '0\r\n\r\n' : ''}`)
      expect(response).toMatch(/^HTTP\/1.1 200 /)
      expect(response).toMatch(/\{"got":\{\}\}$/)
    },
  )

  it('reads {} from a compressed empty body', async () => {
    const head =
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\nContent-Type: application/json'
    expect(await sendRaw(server.url, `${head}\r\n\r\n`)).toMatch(/\{"got":\{\}\}$/)
  })

  it('answers 415 to a long chunked body of another type', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain'
    const chunks = `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(20)
    expect(await sendRaw(server.url, `${head}\r\n\r\n${chunks}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 415 /)
  })
})

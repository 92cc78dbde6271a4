import { sendJson } from '@onward/testbed'
import { openKinds } from './kinds.ts'
import type { User } from './support.ts'

let kinds: Awaited<ReturnType<typeof openKinds>>
let joe: User
beforeAll(async () => {
  kinds = await openKinds()
  joe = await kinds.connect('bodies', { token: 'token-0123456789' })
})
beforeEach(() => kinds.onward.third.answer((_received, response) => sendJson(response, 200, {})))

const bytes = Buffer.from([0, 1, 0xff, 0x0d, 0x0a, 0x2d, 0x2d, 0x80])
const file = { base64: bytes.toString('base64'), name: 'ü "x".bin', content_type: 'application/x-odd; v=1' }

/** Calls a function and tells what arrived: method, type and bytes. */
async function send(phrase: string, args: object) {
  await joe.call(`bodies-${phrase}`, args).expect(200)
  const { method, headers, bytes: body } = kinds.last()
  expect([headers.authorization, headers['content-length']]).toEqual(['Bearer token-0123456789', String(body.length)])
  return { method, type: String(headers['content-type']), body, headers }
}

describe('a body arrives', () => {
  it.each([
    ['json', { text: 'ü', list: ['a'], number: 1.5 }, 'application/json', '{"text":"ü","list":["a"],"deep":{"number":1.5},"fixed":1}'],
    ['json', {}, 'application/json', '{"fixed":1}'],
    [
      'form',
      { text: 'a b&ü', list: ['a', 'b'], number: 2 },
      'application/x-www-form-urlencoded',
      'text=a%20b%26%C3%BC&list%5B0%5D=a&list%5B1%5D=b&deep%5Bnumber%5D=2&fixed=1',
    ],
    ['put-text', { text: 'a;b\r\nü;d' }, 'text/csv', 'a;b\r\nü;d'],
    ['ask', { id: '{id}' }, 'application/json', '{"query":"query ($id: ID) { thing(id: $id) {id} }","variables":{"id":"{id}"}}'],
  ])('as %s of %j', async (phrase, args, type, expected) => {
    const sent = await send(phrase, args)
    expect([sent.type, sent.body.toString()]).toEqual([type, expected])
  })

  it('as one file, byte for byte, beside a header in JSON', async () => {
    const sent = await send('put-file', { file, path: '/日.txt' })
    expect([sent.method, sent.type, sent.body]).toEqual(['PUT', file.content_type, bytes])
    expect(sent.headers['x-arg']).toBe('{"path":"/\\u65e5.txt","mode":"add"}')
  })

  it('as no bytes and no type when the file is left out', async () => {
    await joe.call('bodies-put-file', { path: '/x' }).expect(200)
    expect([kinds.last().bytes.length, kinds.last().headers['content-type']]).toEqual([0, undefined])
  })

  it('as a form of several parts, byte for byte', async () => {
    const sent = await send('upload', { caption: 'a\r\n--x', tags: ['é', 'f'], file })
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(sent.type)?.[1] ?? ''
    const part = (head: string, content: Buffer | string) => [`--${boundary}\r\n${head}\r\n\r\n`, content, '\r\n']
    const expected = [
      ...part('Content-Disposition: form-data; name="caption"', 'a\r\n--x'),
      ...part('Content-Disposition: form-data; name="tags"', 'é'),
      ...part('Content-Disposition: form-data; name="tags"', 'f'),
      ...part('Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json', '{"caption":"a\\r\\n--x"}'),
      ...part(`Content-Disposition: form-data; name="file[]"; filename="ü %22x%22.bin"\r\nContent-Type: ${file.content_type}`, bytes),
      `--${boundary}--\r\n`,
    ]
    expect(sent.body).toEqual(Buffer.concat(expected.map((chunk) => Buffer.from(chunk))))
  })

  it('as a form that another reader understands', async () => {
    const sent = await send('upload', { caption: 'ü', file, cover: { ...file, name: 'c\r\nd' } })
    const form = await new Response(sent.body, { headers: { 'content-type': sent.type } }).formData()
    const read = form.get('file[]') as File
    expect([form.get('caption'), read.name, Buffer.from(await read.arrayBuffer())]).toEqual(['ü', 'ü "x".bin', bytes])
    expect([...form.keys()]).toEqual(['caption', 'meta', 'file[]', 'cover'])
  })
})

describe('a file', () => {
  it('is fetched from its URL, without the credentials of the account', async () => {
    kinds.onward.third.answer((received, response) => {
      if (received.url !== '/files/a%20b.png') return sendJson(response, 200, {})
      expect(received.headers.authorization).toBeUndefined()
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
    })
    const sent = await send('upload', { file: { url: `${kinds.onward.third.url}/files/a%20b.png` } })
    expect(sent.body.includes('filename="a b.png"\r\nContent-Type: image/png\r\n\r\n')).toBe(true)
    expect(sent.body.includes(bytes)).toBe(true)
  })

  it('is fetched from where its URL leads to, but not for ever', async () => {
    kinds.onward.third.answer((received, response) => {
      const hops = Number(/^\/hop\/(\d)$/.exec(received.url)?.[1] ?? Number.NaN)
      if (Number.isNaN(hops)) return sendJson(response, 200, {})
      if (hops === 0) return void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
      response.writeHead(302, { location: `/hop/${hops - 1}` }).end()
    })
    const { url } = kinds.onward.third
    expect((await send('upload', { file: { url: `${url}/hop/3` } })).body.includes(bytes)).toBe(true)
    const { body } = await joe.call('bodies-upload', { file: { url: `${url}/hop/4` } }).expect(400)
    expect(body.error_details).toEqual(['file.url: answered 302'])
  })

  it.each<[object, string]>([
    [{}, 'file: '],
    [{ file: {} }, 'file: must have either url or base64'],
    [{ file: { base64: '*' } }, 'file.base64: is not base64'],
    [{ file: { ...file, content_type: 'a/b\r\nEvil: 1' } }, 'file.content_type: is no media type'],
    [{ file: { ...file, name: 'x\ud800' } }, 'file'],
    [{ file: { ...file, colour: 'red' } }, 'file'],
  ])('of %j is refused, and nothing is sent', async (args, problem) => {
    const before = kinds.onward.third.received.length
    const { body } = await joe.call('bodies-upload', args).expect(400)
    expect(JSON.stringify(body)).toContain(problem)
    expect(kinds.onward.third.received).toHaveLength(before)
  })
})

describe('an answer of GraphQL', () => {
  it.each([
    [{ data: { thing: { id: 1 } } }, { id: 1 }],
    [
      { data: { thing: null }, errors: [{ message: 'no' }] },
      { data: { thing: null }, errors: [{ message: 'no' }] },
    ],
  ])('that is %j comes out as %j', async (answer, output) => {
    kinds.onward.third.answer((_received, response) => sendJson(response, 200, answer))
    expect((await joe.call('bodies-ask').expect(200)).body).toMatchObject({ output, network_code: 200 })
  })
})

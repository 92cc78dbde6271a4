import { sendJson } from '@onward/testbed'
import { type User, useKinds } from '../support/support.ts'

const kinds = useKinds()
const { onward } = kinds

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Returns the URL of the last request and its headers that can carry a secret. */
function arrived(): object {
  const { url, headers } = kinds.last()
  const names = ['authorization', 'x-several-key', 'x-app-key', 'x-signed', 'x-access']
  return { url, ...Object.fromEntries(names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]])) }
}

describe('an account', () => {
  it.each<[string, Record<string, string>, object]>([
    ['several', { api_key: 'k-0123456789' }, { url: '/read', 'x-several-key': 'Key k-0123456789' }],
    ['several', { token: 't-0123456789' }, { url: '/read', authorization: 'Bearer t-0123456789' }],
    ['several', { username: 'ada', password: 'p:ü' }, { url: '/read', authorization: `Basic ${base64('ada:p:ü')}` }],
    [
      'several',
      { app_key: 'a-0123456789', user_key: 'u/+&0123456789', team: 'red' },
      { url: '/read?sig=u%2F%2B%260123456789', 'x-app-key': 'a-0123456789', 'x-signed': 'red:u/+&0123456789' },
    ],
    ['several', { access_token: 'o-0123456789' }, { url: '/read', 'x-access': 'o-0123456789' }],
    [
      'several',
      { access_token: 'o-0123456789', refresh_token: 'r-0123456789', expires_at: '2999-01-01T00:00:00Z' },
      { url: '/read', 'x-access': 'o-0123456789' },
    ],
    ['several', {}, { url: '/read' }],
    [
      'parcel',
      { email: 'a@b.c', api_token: 'x-0123456789' },
      { url: '/read?fixed=1', authorization: `Basic ${base64('a@b.c/token:x-0123456789')}` },
    ],
    ['parcel', { api_key: 'k&=0123456789' }, { url: '/read?fixed=1&key=k%26%3D0123456789' }],
    ['robot', { bot_token: '12:ab/../c?d#e' }, { url: '/bot12:ab%2F..%2Fc%3Fd%23e/read' }],
  ])('of the app %s signs its calls with %j', async (app, credentials, expected) => {
    const user = await kinds.connect(app, credentials)
    await user.call(`${app}-read`).expect(200)
    expect(arrived()).toEqual(expected)
  })

  it('signs in the path, before the base path of its server', async () => {
    const user = await kinds.connect('robot', { bot_token: '12:ab-0123456789' }, '/base')
    await user.call('robot-read').expect(200)
    expect(arrived()).toEqual({ url: '/bot12:ab-0123456789/base/read' })
  })

  it('signs pass-through requests too', async () => {
    const robot = await kinds.connect('robot', { bot_token: '12:ab-0123456789' })
    await robot.call('robot-passthrough-request', { url: '/b?c=1' }).expect(200)
    expect(arrived()).toEqual({ url: '/bot12:ab-0123456789/b?c=1' })
    const custom = await kinds.connect('several', { app_key: 'a-0123456789', user_key: 'u-0123456789', team: 'red' })
    await custom.call('several-passthrough-request', { url: '/x', query: { q: 1 } }).expect(200)
    expect(arrived()).toEqual({ url: '/x?q=1&sig=u-0123456789', 'x-app-key': 'a-0123456789', 'x-signed': 'red:u-0123456789' })
  })

  it('refuses a pass-through request that sets its own signing headers or query', async () => {
    const user = await kinds.connect('several', { token: 't-0123456789' })
    const before = onward.third.received.length
    for (const request of [{ headers: { 'X-App-Key': 'x' } }, { headers: { 'x-access': 'x' } }, { query: { sig: 'x' } }]) {
      await user.call('several-passthrough-request', { url: '/x', ...request }).expect(400)
    }
    expect(onward.third.received).toHaveLength(before)
  })
})

describe('an answer', () => {
  it.each<[string, Record<string, string>, string[], string[]]>([
    [
      'several',
      { app_key: 'a-0123456789', user_key: 'u/0123456789', team: 'red-and-blue' },
      ['a-0123456789', 'u/0123456789', 'u%2F0123456789'],
      ['red-and-blue'],
    ],
    ['several', { access_token: 'o-0123456789', refresh_token: 'r-0123456789' }, ['o-0123456789', 'r-0123456789'], []],
    [
      'parcel',
      { email: 'ada@example.com', api_token: 'x-0123456789' },
      ['x-0123456789', base64('ada@example.com/token:x-0123456789')],
      ['ada@example.com'],
    ],
  ])('of the app %s is redacted when it echoes the secrets %j', async (app, credentials, hidden, shown) => {
    const user = await kinds.connect(app, credentials)
    onward.third.respond((_received, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ hidden, shown }))
    })
    const { body } = await user.call(`${app}-read`).expect(200)
    expect(body.output).toEqual({ hidden: hidden.map(() => '[redacted]'), shown })
  })
})

describe('connecting an account', () => {
  it.each<[string, Record<string, string>, string]>([
    ['parcel', {}, 'credentials.email: is missing'],
    ['parcel', { email: 'a@b.c' }, 'credentials.api_token: is missing'],
    ['parcel', { email: 'a@b.c', api_token: 'x', api_key: 'y' }, 'credentials.api_key: belongs to another scheme'],
    ['robot', { bot_token: 'a\r\nb' }, 'credentials.bot_token: must not contain line breaks'],
  ])('of the app %s is refused with the credentials %j', async (app, credentials, problem) => {
    const sent = { user_id: 'u', app, credentials: { url: onward.third.url, ...credentials } }
    const path = `/admin/applications/${onward.application.appKey}/connected-accounts`
    const { body } = await onward.admin('post', path, sent).expect(400)
    expect(body.error_details.join()).toContain(problem)
  })
})

let joe: User
beforeAll(async () => {
  joe = await kinds.connect('bodies', { token: 'token-0123456789' })
})
beforeEach(() => onward.third.respond((_received, response) => sendJson(response, 200, {})))

const bytes = Buffer.from([0, 1, 0xff, 0x0d, 0x0a, 0x2d, 0x2d, 0x80])
const file = { base64: bytes.toString('base64'), name: 'ü "x".bin', content_type: 'application/x-odd; v=1' }

/** Calls a function and returns the method, content type and bytes that arrived. */
async function send(phrase: string, args: object) {
  await joe.call(`bodies-${phrase}`, args).expect(200)
  const { method, headers, bytes: body } = kinds.last()
  expect([headers.authorization, headers['content-length']]).toEqual(['Bearer token-0123456789', String(body.length)])
  return { method, type: String(headers['content-type']), body, headers }
}

describe('the body of an onward call', () => {
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
  ])('is sent as %s for the arguments %j', async (phrase, args, type, expected) => {
    const sent = await send(phrase, args)
    expect([sent.type, sent.body.toString()]).toEqual([type, expected])
  })

  it('is the unchanged bytes of a file, beside arguments in a JSON header', async () => {
    const sent = await send('put-file', { file, path: '/日.txt' })
    expect([sent.method, sent.type, sent.body]).toEqual(['PUT', file.content_type, bytes])
    expect(sent.headers['x-arg']).toBe('{"path":"/\\u65e5.txt","mode":"add"}')
  })

  it('is empty, without a content type, when the file is left out', async () => {
    await joe.call('bodies-put-file', { path: '/x' }).expect(200)
    expect([kinds.last().bytes.length, kinds.last().headers['content-type']]).toEqual([0, undefined])
  })

  it('is a multipart form with the exact bytes that the standard requires', async () => {
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

  it('is a multipart form that another parser can read', async () => {
    const sent = await send('upload', { caption: 'ü', file, cover: { ...file, name: 'c\r\nd' } })
    const form = await new Response(sent.body, { headers: { 'content-type': sent.type } }).formData()
    const read = form.get('file[]') as File
    expect([form.get('caption'), read.name, Buffer.from(await read.arrayBuffer())]).toEqual(['ü', 'ü "x".bin', bytes])
    expect([...form.keys()]).toEqual(['caption', 'meta', 'file[]', 'cover'])
  })
})

describe('a file argument', () => {
  it('is fetched from its URL without the credentials of the account', async () => {
    onward.third.respond((received, response) => {
      if (received.url !== '/files/a%20b.png') return sendJson(response, 200, {})
      expect(received.headers.authorization).toBeUndefined()
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
    })
    const sent = await send('upload', { file: { url: `${onward.third.url}/files/a%20b.png` } })
    expect(sent.body.includes('filename="a b.png"\r\nContent-Type: image/png\r\n\r\n')).toBe(true)
    expect(sent.body.includes(bytes)).toBe(true)
  })

  it('may be a list, from URLs and in base64, of which each file becomes a part', async () => {
    onward.third.respond((received, response) => {
      if (received.url !== '/files/a.png') return sendJson(response, 200, {})
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
    })
    const more = [{ url: `${onward.third.url}/files/a.png` }, { ...file, name: 'b.bin' }, { base64: '' }]
    const sent = await send('upload', { file, more })
    const form = await new Response(sent.body, { headers: { 'content-type': sent.type } }).formData()
    const parts = form.getAll('more') as File[]
    const read = await Promise.all(parts.map(async (part) => [part.name, part.type, Buffer.from(await part.arrayBuffer())]))
    expect(read).toEqual([
      ['a.png', 'image/png', bytes],
      ['b.bin', file.content_type, bytes],
      ['more[2]', 'application/octet-stream', Buffer.alloc(0)],
    ])
  })

  it('may be a list of at most 20 files, which together are no larger than one', async () => {
    onward.third.respond((_received, response) => void response.writeHead(200).end(Buffer.alloc(7 * 1_048_576)))
    const large = { url: `${onward.third.url}/large` }
    const before = onward.third.received.length
    const { body } = await joe.call('bodies-upload', { file, more: [large, large, {}] }).expect(400)
    expect(body.error_details).toEqual([
      'more[1].url: with the files before it, is larger than 12582912 bytes',
      'more[2]: must have either url or base64',
    ])
    expect(onward.third.received).toHaveLength(before + 2)
    const many = await joe.call('bodies-upload', { file, more: Array(21).fill(file) }).expect(400)
    expect(many.body.error_details).toEqual([expect.stringMatching(/^more: .*20/)])
  })

  it('is fetched through at most three redirects', async () => {
    onward.third.respond((received, response) => {
      const hops = Number(/^\/hop\/(\d)$/.exec(received.url)?.[1] ?? Number.NaN)
      if (Number.isNaN(hops)) return sendJson(response, 200, {})
      if (hops === 0) return void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
      response.writeHead(302, { location: `/hop/${hops - 1}` }).end()
    })
    const { url } = onward.third
    expect((await send('upload', { file: { url: `${url}/hop/3` } })).body.includes(bytes)).toBe(true)
    const { body } = await joe.call('bodies-upload', { file: { url: `${url}/hop/4` } }).expect(400)
    expect(body.error_details).toEqual(['file.url: answered 302'])
  })

  it.each<[object, string]>([
    [{ base64: '++//AA==' }, 'application/octet-stream'],
    [{ base64: '--__AA' }, 'application/octet-stream'],
    [{ base64: '++/\r\n/A\tA= =\n' }, 'application/octet-stream'],
    [{ base64: 'data:image/png;base64,++//AA==' }, 'image/png'],
    [{ base64: 'DATA:text/plain;charset=utf-8;BASE64,++//AA' }, 'text/plain;charset=utf-8'],
    [{ base64: 'data:image/png;base64,++//AA', content_type: 'image/gif' }, 'image/gif'],
    [{ base64: 'data:;base64,++//AA' }, 'application/octet-stream'],
    [{ url: 'data:image/png;base64,++//AA==' }, 'image/png'],
  ])('can be base64 in any usual form: %j', async (given, type) => {
    onward.third.respond((_received, response) => sendJson(response, 200, {}))
    const sent = await send('put-file', { file: given, path: '/a' })
    expect([sent.type, sent.body]).toEqual([type, Buffer.from('fbefff00', 'hex')])
  })

  it.each<[object, string]>([
    [{}, 'file: '],
    [{ file: './photo.png' }, 'file: must be an object, such as {\\"url\\": …}'],
    [{ file: {} }, 'file: must have either url or base64'],
    [{ file: { base64: 'aGVs*bG8=' } }, 'file.base64: is not base64: it has the character \\"*\\"'],
    [{ file: { base64: 'aGVsbG8=aGVs' } }, 'file.base64: is not base64: it has something after its padding'],
    [{ file: { base64: 'aGVsb' } }, 'file.base64: is not base64: it is not complete'],
    [{ file: { base64: 'aGVsbA=' } }, 'file.base64: is not base64: it is not complete'],
    [{ file: { base64: 'aGVsbG9=' } }, 'file.base64: is not base64: it is not complete'],
    [{ file: { base64: 'data:text/plain,hello' } }, 'file.base64: is a data URI without ;base64'],
    [{ file: { url: 'data:text/plain;base64,aGVsb' } }, 'file.url: is not base64: it is not complete'],
    [{ file: { base64: 'data:a/b\r\nEvil: 1;base64,aGVs' } }, 'file.content_type: is not a media type'],
    [{ file: { ...file, content_type: 'a/b\r\nEvil: 1' } }, 'file.content_type: is not a media type'],
    [{ file: { ...file, name: 'x\ud800' } }, 'file'],
    [{ file: { ...file, colour: 'red' } }, 'file'],
  ])('is refused without an onward call when the arguments are %j', async (args, problem) => {
    const before = onward.third.received.length
    const { body } = await joe.call('bodies-upload', args).expect(400)
    expect(JSON.stringify(body)).toContain(problem)
    expect(onward.third.received).toHaveLength(before)
  })
})

describe('a GraphQL answer', () => {
  it.each([
    [{ data: { thing: { id: 1 } } }, { id: 1 }],
    [
      { data: { thing: null }, errors: [{ message: 'no' }] },
      { data: { thing: null }, errors: [{ message: 'no' }] },
    ],
  ])('of %j gives the output %j', async (answer, output) => {
    onward.third.respond((_received, response) => sendJson(response, 200, answer))
    expect((await joe.call('bodies-ask').expect(200)).body).toMatchObject({ output, network_code: 200 })
  })
})

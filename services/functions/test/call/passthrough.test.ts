import { openScriptedServer } from '@onward/testbed'
import { openFunctions, SECRETS, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  for (const app of ['desk', 'maps', 'crm', 'notes'] as const) await joe.connect(app)
})
beforeEach(() => {
  onward.third.received.length = 0
})

describe('a pass-through request', () => {
  it('sends method, path, query, headers and body with the credentials of the account', async () => {
    const body = { a: [1, { b: null }], text: 'ä' }
    const query = { q: 'a b', list: [1, 2], object: { x: 'y' } }
    await joe
      .call('desk-passthrough-request', { method: 'PATCH', url: '/v9/any%2Fthing?own=1', query, headers: { 'X-Own': '1' }, body })
      .expect(200)
    const [got] = onward.third.received
    expect(got).toMatchObject({ method: 'PATCH', url: '/v9/any%2Fthing?own=1&q=a%20b&list=1&list=2&object%5Bx%5D=y' })
    expect(got?.headers).toMatchObject({ 'x-own': '1', 'x-desk-key': `Token ${SECRETS.desk.api_key}`, 'content-type': 'application/json' })
    expect(JSON.parse(got?.body ?? '')).toEqual(body)
  })

  it('is a GET by default and can name the host of the app', async () => {
    await joe.call('maps-passthrough-request', { url: `${onward.third.url}/x` }).expect(200)
    expect(onward.third.received[0]).toMatchObject({ method: 'GET', url: `/x?key=${encodeURIComponent(SECRETS.maps.api_key)}`, body: '' })
  })

  it('sends a form when the app takes forms or the header asks for it', async () => {
    await joe.call('crm-passthrough-request', { method: 'POST', url: '/x', body: { a: { b: 1 } } }).expect(200)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await joe.call('desk-passthrough-request', { method: 'POST', url: '/x', body: { a: 'b c' }, headers }).expect(200)
    expect(onward.third.received.map(({ body }) => body)).toEqual(['a%5Bb%5D=1', 'a=b%20c'])
  })

  it('fills variables like any other call', async () => {
    await joe.call('notes-passthrough-request', { url: '/{where}', query: { n: '{n}' }, _variables: { where: 'x', n: 5 } }).expect(200)
    expect(onward.third.received[0]?.url).toBe('/x?n=5')
  })

  it.each([
    ['/../../x', null],
    ['/%2e%2e/x', null],
    ['//a/b', null],
    ['/a//b', '/a//b'],
  ])('stays on the host when its URL is %s', async (url, path) => {
    const { body } = await joe.call('notes-passthrough-request', { url })
    expect(body.code ?? onward.third.received[0]?.url).toBe(path ?? 'invalid_parameters')
  })

  it.each([
    'https://evil.example/x',
    '//evil.example/x',
    'http://127.0.0.1:1/x',
    'http://joe@127.0.0.1/x',
    'http://joe:pass@evil.example/x',
    '/\\evil.example',
    '\\\\evil.example',
    'ftp://evil.example/x',
    'file:///etc/passwd',
    'data:text/plain,x',
    'x',
    '',
    '/a b',
    '/a\r\nHost: evil',
    '/\u0000',
    'https://',
    'https://[::1',
  ])('is refused when its URL is %j', async (url) => {
    const { body } = await joe.call('notes-passthrough-request', { url }).expect(400)
    expect(body).toMatchObject({ code: 'invalid_parameters', error_details: [expect.stringMatching(/^url: /)] })
    expect(onward.third.received).toHaveLength(0)
  })

  it('is refused when its URL has another scheme, port or host name or a user name', async () => {
    const { host, port } = new URL(onward.third.url)
    for (const url of [
      `https://${host}/x`,
      `http://127.0.0.1:${Number(port) + 1}/x`,
      `http://joe@${host}/x`,
      `http://localhost:${port}/x`,
    ]) {
      await joe.call('notes-passthrough-request', { url }).expect(400)
    }
    expect(onward.third.received).toHaveLength(0)
  })

  it.each([
    ['Host', 'evil.example'],
    ['Content-Length', '5'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'close'],
    ['Cookie', 'a=b'],
    ['Proxy-Authorization', 'x'],
    ['Upgrade', 'h2c'],
    ['X-Desk-Key', 'mine'],
    ['x-desk-key', 'mine'],
    ['X-Own', 'a\r\nHost: evil'],
    ['X-Own', 'a\u0000'],
    ['X-Own', '日本'],
    ['X Own', 'a'],
    ['X-Own:', 'a'],
    ['', 'a'],
  ])('is refused with the header %j: %j', async (name, value) => {
    const { body } = await joe.call('desk-passthrough-request', { url: '/x', headers: { [name]: value } }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^headers\./)])
    expect(onward.third.received).toHaveLength(0)
  })

  it.each<[string, object, RegExp]>([
    ['the key of the account in the query', { url: '/x', query: { key: 'mine' } }, /^query.key: is set from the account/],
    ['the key of the account in the URL', { url: '/x?key=mine' }, /^url: must not contain key/],
    ['the key of the account, encoded', { url: '/x?%6bey=mine' }, /^url: must not contain key/],
    ['no url', {}, /^url: is required/],
    ['an unknown method', { url: '/x', method: 'TRACE' }, /^method: must be one of/],
    ['a method in small letters', { url: '/x', method: 'get' }, /^method: must be one of/],
    ['a GET with a body', { url: '/x', body: {} }, /^body: GET takes no body/],
    ['a body that is not an object', { url: '/x', method: 'POST', body: 'x' }, /^body: must be an object/],
    ['a body as XML', { url: '/x', method: 'POST', body: {}, headers: { 'content-type': 'text/xml' } }, /^headers.content-type: /],
    ['a header that is not text', { url: '/x', headers: { a: 1 } }, /^headers.a: must be text/],
    ['a proxy', { url: '/x', proxy: 'http://evil' }, /^proxy: is not known here/],
    ['a socket', { url: '/x', socketPath: '/run/x' }, /^socketPath: is not known here/],
    ['an auth option', { url: '/x', auth: {} }, /^auth: is not known here/],
    ['a lone surrogate', { url: '/x', query: { q: '\ud800' } }, /^query: is not well-formed text/],
  ])('is refused with %s', async (_what, args, problem) => {
    const { body } = await joe.call('maps-passthrough-request', args).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(problem)])
    expect(onward.third.received).toHaveLength(0)
  })
})

describe('a request that leads back to Onward', () => {
  it('is refused by the public port, whatever header the caller sends', async () => {
    const looping = onward.user('looping')
    await looping.connect('notes', { url: onward.url })
    for (const headers of [{}, { 'CDN-Loop': 'other' }, { 'cdn-loop': '' }]) {
      const { body } = await looping.call('notes-passthrough-request', { url: '/openapi.json', headers }).expect(200)
      expect(body).toMatchObject({ network_code: 508, output: { code: 'loop_detected' } })
    }
  })

  it('is not sent when PUBLIC_URL shows where it leads', async () => {
    const own = await openScriptedServer()
    const guarded = await openFunctions({ env: { PUBLIC_URL: `${own.url}/onward` } })
    const ann = guarded.user('ann')
    await ann.connect('notes', { url: own.url })
    for (const url of ['/onward', '/onward/functions/list?x=/', '/onward?x']) {
      const { body } = await ann.call('notes-passthrough-request', { url }).expect(502)
      expect(body.code).toBe('upstream_unreachable')
    }
    expect(own.received).toEqual([])
    await ann.call('notes-passthrough-request', { url: '/other?x=/onward/' }).expect(200)
    await ann.call('notes-passthrough-request', { url: '/onwards' }).expect(200)
    expect(own.received.map(({ headers }) => headers['cdn-loop'])).toEqual(['onward', 'onward'])
    await own.close()
  })
})

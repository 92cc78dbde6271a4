import { build, find, problems, sampleApp } from './sample-app.ts'

const app = sampleApp({ hosts: ['files.example.com'], headers: { Version: '2' }, base_url: 'https://api.example.com/v1' })
const fn = find(app, 'passthrough-request')
const formType = 'application/x-www-form-urlencoded'
const EMPTY = 'is empty, and a query or a form has no empty list or object; leave it out'
const inQuery = find(sampleApp({ auth: { type: 'api_key', in: 'query', name: 'key' } }), 'passthrough-request')

describe('passthrough-request', () => {
  it('has the documented parameters, each with one type and a description', () => {
    expect(Object.entries(fn.parameters.properties).map(([name, schema]) => [name, schema.type])).toEqual([
      ['method', 'string'],
      ['url', 'string'],
      ['query', 'object'],
      ['headers', 'object'],
      ['body', 'object'],
    ])
    expect(fn.parameters.required).toEqual(['url'])
    expect([fn.type, fn.paged, fn.checkCursor('a')]).toEqual(['PASSTHROUGH', false, ['_cursor: the function has no pages']])
  })

  it.each([
    ['/v1/x', 'https://api.example.com/v1/x'],
    ['/x?a=%23..&b=./../c', 'https://api.example.com/x?a=%23..&b=./../c'],
    ['https://api.example.com/y', 'https://api.example.com/y'],
    ['HTTPS://API.example.com/y', 'https://api.example.com/y'],
    ['https://files.example.com/f', 'https://files.example.com/f'],
    ['/a/..b/c.', 'https://api.example.com/a/..b/c.'],
  ])('sends the request to %s', (url, expected) => {
    expect(build(fn, { url })).toEqual({ method: 'GET', url: expected, headers: { version: '2', 'x-key': 'key-123' } })
  })

  it.each([
    ['x', 'must be a path'],
    ['//evil.example/x', 'is not on one of'],
    ['/\\evil.example/x', 'must not contain spaces'],
    ['/\t/evil.example', 'must not contain spaces'],
    ['https://evil.example/', 'is not on one of'],
    ['https://api.example.com.evil.example/', 'is not on one of'],
    ['https://api.example.com:8443/', 'is not on one of'],
    ['http://api.example.com/', 'is not on one of'],
    ['http://files.example.com/', 'is not on one of'],
    ['https://files.example.com:444/', 'is not on one of'],
    ['https://u:p@api.example.com/', 'must not contain a user name'],
    ['https://api.example.com@evil.example/', 'must not contain a user name'],
    ['https://', 'is not a URL'],
    ['file:///etc/passwd', 'must be a path'],
    ['javascript:alert(1)', 'must be a path'],
    ['/a b', 'must not contain spaces'],
    ['/x?a=1#f', 'must not contain #; write %23 in its place'],
    ['/a/../b', 'must not contain the segments . and ..'],
    ['/a/%2E%2e', 'must not contain the segments . and ..'],
    ['https://files.example.com/./f?a=1', 'must not contain the segments . and ..'],
  ])('refuses %j', (url, why) => {
    expect(problems(fn, { url })).toEqual([expect.stringContaining(`url: ${why}`)])
  })

  it("sends only to the account's own server in a self-hosted app", () => {
    const account_settings = { url: { title: 'URL', description: 'Server.' } }
    const own = find(sampleApp({ account_settings, base_url: '{account.url}' }), 'passthrough-request')
    const account = { api_key: 'k', url: 'http://10.0.0.5:8080/app' }
    expect(build(own, { url: '/x' }, account).url).toBe('http://10.0.0.5:8080/x')
    expect(problems(own, { url: 'http://10.0.0.5/x' }, account)).toEqual(["url: is not on one of the app's own hosts"])
  })

  it('adds the query to that of the URL', () => {
    const query = { b: 'x y', c: [1, 2], d: { e: true } }
    expect(build(fn, { url: '/x?a=1', query }).url).toBe('https://api.example.com/x?a=1&b=x%20y&c=1&c=2&d%5Be%5D=true')
  })

  it.each([
    'X-Key',
    'x-key',
    'Host',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Cookie',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Upgrade',
    'Proxy-Authorization',
    'Expect',
    'bad name',
    '',
  ])('refuses the header %j', (name) => {
    expect(problems(fn, { url: '/x', headers: { [name]: 'v' } })).toEqual([expect.stringMatching(`^headers.${name}: is `)])
  })

  it.each(['a\r\nEvil: 1', 'a\nb', '\u0000', '日本'])('refuses the header value %j', (value) => {
    expect(problems(fn, { url: '/x', headers: { A: value } })).toEqual(['headers.A: has characters that a header cannot carry'])
  })

  it.each([' a', 'a ', '\ta'])('refuses the header value %j, whose ends would be lost', (value) => {
    expect(problems(fn, { url: '/x', headers: { A: value } })).toEqual([
      'headers.A: begins or ends with a blank, which a header cannot carry',
    ])
  })

  it('refuses a header that is given twice', () => {
    expect(problems(fn, { url: '/x', headers: { Tag: 'a', tag: 'b' } })).toEqual(['headers.tag: is given twice'])
  })

  it("prefers the caller's header to the app's", () => {
    expect(build(fn, { url: '/x', headers: { VERSION: '9' } }).headers).toEqual({ version: '9', 'x-key': 'key-123' })
  })

  it('adds the key to the query', () => {
    expect(build(inQuery, { url: '/x?a=1' }).url).toBe('https://api.example.com/x?a=1&key=key-123')
    expect(problems(inQuery, { url: '/x', query: { key: 'other' } })).toEqual(['query.key: is set from the account'])
    expect(problems(inQuery, { url: '/x?%6Bey=other' })).toEqual(['url: must not contain key, which is set from the account'])
  })

  it.each([
    [{ method: 'POST', body: { a: [1] } }, '{"a":[1]}', 'application/json'],
    [{ method: 'PATCH', body: {}, headers: { 'Content-Type': 'application/merge-patch+json' } }, '{}', 'application/merge-patch+json'],
    [{ method: 'PUT', body: { a: { b: 1 } }, headers: { 'content-type': formType } }, 'a%5Bb%5D=1', formType],
  ])('writes the body for %j', (args, body, type) => {
    const request = build(fn, { url: '/x', ...args })
    expect([request.method, request.body, request.headers['content-type']]).toEqual([args.method, body, type])
  })

  it('writes a form when the app uses forms', () => {
    const forms = find(sampleApp({ body_type: 'form' }), 'passthrough-request')
    expect(build(forms, { url: '/x', method: 'POST', body: { a: 1 } }).body).toBe('a=1')
  })

  it.each([
    [{ body: {} }, 'body: GET takes no body'],
    [
      { method: 'POST', body: {}, headers: { 'content-type': 'text/csv' } },
      'headers.content-type: a body can only be sent as JSON or as a form',
    ],
    [{ query: { a: '\ud800' } }, 'query: is not well-formed text'],
    [{ query: { a: [] } }, `query.a: ${EMPTY}`],
    [{ query: { a: [1, { b: {} }] } }, `query.a[1].b: ${EMPTY}`],
    [{ method: 'POST', body: { a: { b: [] } }, headers: { 'content-type': formType } }, `body.a.b: ${EMPTY}`],
  ])('refuses %j', (args, problem) => {
    expect(problems(fn, { url: '/x', ...args })).toEqual([problem])
  })

  it('ignores the content type without a body, and accepts any name of a query parameter', () => {
    const request = build(fn, { url: '/x', headers: { 'content-type': 'text/csv' }, query: { '': 'a' } })
    expect([request.url, request.body]).toEqual(['https://api.example.com/x?=a', undefined])
  })

  it('returns the whole response', () => {
    expect(fn.readResponse(200, { a: 1 }, null)).toEqual({ output: { a: 1 }, cursor: undefined })
  })
})

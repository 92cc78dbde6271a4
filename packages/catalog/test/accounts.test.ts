import { build, find, problems, sampleApp, sampleFunction } from './sample-app.ts'

const field = { title: 'A field', description: 'A field.' }
const endpoint = { token_url: 'https://auth.example.com/token' }
const oauth = { type: 'oauth2', authorization_url: 'https://auth.example.com/authorize', ...endpoint }
const minted = { client_id: 'c', client_secret: 's' }
const zendesk = {
  type: 'basic',
  fields: { email: { ...field, secret: false }, api_token: field },
  username: '{email}/token',
  password: '{api_token}',
}
const custom = {
  type: 'custom',
  fields: { key: field, token: field },
  headers: { 'DD-API-KEY': '{key}', 'X-Both': 'a {key} {token}' },
  query: { t: '{token}' },
}
const inPath = { type: 'custom', fields: { bot: field }, path: '/bot{bot}' }

const site = { account_settings: { site: { title: 'Site', description: 'A site.' } } }

describe('the credentials of a request', () => {
  it.each<[object, Record<string, string>, string, object]>([
    [{ type: 'none' }, {}, '', {}],
    [{ type: 'bearer' }, { token: 't' }, '', { authorization: 'Bearer t' }],
    [{ type: 'basic' }, { username: 'ü', password: 'p:q' }, '', { authorization: 'Basic w7w6cDpx' }],
    [{ type: 'api_key', in: 'header', name: 'X-Key' }, { api_key: 'k' }, '', { 'x-key': 'k' }],
    [{ type: 'api_key', in: 'header', name: 'Authorization', prefix: 'Token ' }, { api_key: 'k' }, '', { authorization: 'Token k' }],
    [{ type: 'api_key', in: 'query', name: 'key' }, { api_key: 'k&l' }, '?key=k%26l', {}],
    [zendesk, { email: 'a@b.c', api_token: 'x' }, '', { authorization: `Basic ${Buffer.from('a@b.c/token:x').toString('base64')}` }],
    [
      { type: 'basic', fields: { api_key: field }, username: '{api_key}', password: '' },
      { api_key: 'k' },
      '',
      { authorization: `Basic ${Buffer.from('k:').toString('base64')}` },
    ],
    [custom, { key: 'k', token: '?&' }, '?t=%3F%26', { 'dd-api-key': 'k', 'x-both': 'a k ?&' }],
    [oauth, { access_token: 'a', refresh_token: 'r', expires_at: '2030-01-01T00:00:00Z' }, '', { authorization: 'Bearer a' }],
    [{ ...oauth, prefix: 'Zoho-oauthtoken ' }, { access_token: 'a' }, '', { authorization: 'Zoho-oauthtoken a' }],
    [{ ...oauth, header: 'X-Shopify-Access-Token' }, { access_token: 'a' }, '', { 'x-shopify-access-token': 'a' }],
    [{ ...oauth, header: 'X-Token', prefix: 'T ' }, { access_token: 'a' }, '', { 'x-token': 'T a' }],
    [{ type: 'oauth2_client_credentials', ...endpoint }, { ...minted, access_token: 'a' }, '', { authorization: 'Bearer a' }],
    [
      { type: 'oauth2_jwt_bearer', ...endpoint },
      { issuer: 'i', private_key: '-----BEGIN\nKEY', access_token: 'a' },
      '',
      { authorization: 'Bearer a' },
    ],
  ])('are sent in the place that %j declares', (auth, credentials, search, headers) => {
    const request = build(sampleFunction({}, { auth }), {}, credentials)
    expect(request).toEqual({ method: 'GET', url: `https://api.example.com/run${search}`, headers })
  })

  it('are reported without their values when they are missing or cannot be sent', () => {
    const fn = sampleFunction({})
    expect(problems(fn, {}, {})).toEqual(['account.api_key: is missing'])
    expect(problems(fn, {}, { api_key: 'se\r\ncret' }).join()).not.toContain('cret')
  })

  it.each([
    [{ type: 'oauth2_client_credentials', ...endpoint }, minted],
    [
      { type: 'oauth2_jwt_bearer', ...endpoint },
      { issuer: 'i', private_key: 'k' },
    ],
    [oauth, { refresh_token: 'r' }],
  ])('of %j are reported as incomplete until there is an access token', (auth, credentials) => {
    expect(problems(sampleFunction({}, { auth }), {}, credentials)).toEqual(['account.access_token: is missing'])
  })

  it.each([
    ['123:ABC-d_e', '/bot123:ABC-d_e/run'],
    ['a/../../b', '/bota%2F..%2F..%2Fb/run'],
    ['a?b#c', '/bota%3Fb%23c/run'],
    ['%2e%2e', '/bot%252e%252e/run'],
  ])('are encoded as a part of one segment when the path contains %j', (bot, path) => {
    expect(build(sampleFunction({}, { auth: inPath }), {}, { bot }).url).toBe(`https://api.example.com${path}`)
  })

  it('go before the path of base_url, also on another host', () => {
    const app = { auth: inPath, base_url: 'https://api.example.com/v1', hosts: ['files.example.com'] }
    expect(build(sampleFunction({}, app), {}, { bot: 'x' }).url).toBe('https://api.example.com/botx/v1/run')
    const elsewhere = sampleFunction({ request: { method: 'GET', path: '/run', host: 'files.example.com' } }, app)
    expect(build(elsewhere, {}, { bot: 'x' }).url).toBe('https://files.example.com/botx/run')
  })

  it.each(['.', '..'])('never become a whole segment %s', (bot) => {
    const fn = sampleFunction({}, { auth: { ...inPath, path: '/{bot}' } })
    expect(problems(fn, {}, { bot })).toEqual(['account.bot: must not be "." or ".."'])
  })

  it.each<[object, Record<string, string>, string]>([
    [custom, { key: 'a\r\nEvil: 1', token: 't' }, 'account.key: must not contain line breaks or other control characters'],
    [custom, { key: '日本', token: 't' }, 'account.key: has characters that a header cannot carry'],
    [zendesk, { email: 'a:b', api_token: 't' }, 'account.email: must not contain a colon'],
    [oauth, { access_token: 'a\nb' }, 'account.access_token: must not contain line breaks or other control characters'],
  ])('of %j are refused when they are %j', (auth, credentials, problem) => {
    expect(problems(sampleFunction({}, { auth }), {}, credentials)).toEqual([problem])
  })

  it('may have more fields than the app needs', () => {
    expect(build(sampleFunction({}), {}, { api_key: 'k', old: 'x' }).headers).toEqual({ 'x-key': 'k' })
  })
})

describe('the schemes of a request', () => {
  const auth = [{ type: 'none' }, oauth, { type: 'bearer' }, { type: 'oauth2_client_credentials', ...endpoint, header: 'X-Minted' }, inPath]
  const fn = sampleFunction({}, { auth })

  it.each<[Record<string, string>, object, string]>([
    [{ access_token: 'a' }, { authorization: 'Bearer a' }, '/run'],
    [{ token: 't' }, { authorization: 'Bearer t' }, '/run'],
    [{ bot: 'b' }, {}, '/botb/run'],
    [{ ...minted, access_token: 'a' }, { 'x-minted': 'a' }, '/run'],
    [{ client_id: 'c' }, {}, '/run'],
    [{}, {}, '/run'],
  ])('sign the requests of an account %j with %j', (credentials, headers, path) => {
    expect(build(fn, {}, credentials)).toEqual({ method: 'GET', url: `https://api.example.com${path}`, headers })
  })

  it('reserve the headers and keys of every scheme, also of unused ones', () => {
    const app = sampleApp({ auth: [{ type: 'bearer' }, { type: 'api_key', in: 'query', name: 'key' }, inPath] })
    const passthrough = find(app, 'passthrough-request')
    expect(problems(passthrough, { url: '/x', headers: { Authorization: 'x' } }, { api_key: 'k' })).toEqual([
      'headers.Authorization: is set from the account',
    ])
    expect(problems(passthrough, { url: '/x?key=1' }, { token: 't' })).toEqual(['url: must not contain key, which is set from the account'])
    expect(build(passthrough, { url: '/y' }, { bot: 'b/c' }).url).toBe('https://api.example.com/botb%2Fc/y')
  })
})

describe('the account settings of a request', () => {
  it('are available in path, query, headers and body', () => {
    const request = {
      method: 'POST',
      path: '/{account.site}',
      query: { s: '{account.site}' },
      headers: { S: '{account.site}' },
      body: ['{account.site}'],
    }
    const built = build(sampleFunction({ request }, site), {}, { api_key: 'k', site: 'a b' })
    expect([built.url, built.headers.s, built.body]).toEqual(['https://api.example.com/a%20b?s=a%20b', 'a b', '["a b"]'])
  })

  it.each([
    ['https://{account.site}.example.com', 'acme', 'https://acme.example.com/run'],
    ['https://{account.site}.api.example.com/v1', 'us1', 'https://us1.api.example.com/v1/run'],
    ['https://api.example.com/{account.site}/', 'a/b', 'https://api.example.com/a%2Fb/run'],
    ['{account.site}', 'https://own.example/base/', 'https://own.example/base/run'],
    ['{account.site}', 'http://127.0.0.1:4010', 'http://127.0.0.1:4010/run'],
  ])('turn %s and %j into %s', (base_url, value, url) => {
    expect(build(sampleFunction({}, { ...site, base_url }), {}, { api_key: 'k', site: value }).url).toBe(url)
  })

  it.each([
    ['https://{account.site}.example.com', 'evil.example/'],
    ['https://{account.site}.example.com', 'evil.example#'],
    ['https://{account.site}.example.com', 'a@evil'],
    ['https://api.example.com/{account.site}', '..'],
    ['{account.site}', 'ftp://own.example'],
    ['{account.site}', 'https://u:p@own.example'],
    ['{account.site}', 'https://own.example/?x'],
  ])('never change the host of %s with %j', (base_url, value) => {
    expect(problems(sampleFunction({}, { ...site, base_url }), {}, { api_key: 'k', site: value })[0]).toMatch(/^account\.site: must /)
  })
})

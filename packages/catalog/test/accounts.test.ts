import { build, problems, sampleFunction } from './sample-app.ts'

const site = { account_settings: { site: { title: 'Site', description: 'A site.' } } }

describe('request: credentials', () => {
  it.each<[object, Record<string, string>, string, object]>([
    [{ type: 'none' }, {}, '', {}],
    [{ type: 'bearer' }, { token: 't' }, '', { authorization: 'Bearer t' }],
    [{ type: 'basic' }, { username: 'ü', password: 'p:q' }, '', { authorization: 'Basic w7w6cDpx' }],
    [{ type: 'api_key', in: 'header', name: 'X-Key' }, { api_key: 'k' }, '', { 'x-key': 'k' }],
    [{ type: 'api_key', in: 'header', name: 'Authorization', prefix: 'Token ' }, { api_key: 'k' }, '', { authorization: 'Token k' }],
    [{ type: 'api_key', in: 'query', name: 'key' }, { api_key: 'k&l' }, '?key=k%26l', {}],
  ])('of %j are put where they belong', (auth, credentials, search, headers) => {
    const request = build(sampleFunction({}, { auth }), {}, credentials)
    expect(request).toEqual({ method: 'GET', url: `https://api.example.com/run${search}`, headers })
  })

  it('that are missing or can not be sent are problems that never show them', () => {
    const fn = sampleFunction({})
    expect(problems(fn, {}, {})).toEqual(['account.api_key: is missing'])
    expect(problems(fn, {}, { api_key: 'se\r\ncret' }).join()).not.toContain('cret')
  })

  it('may hold more than the app asks for', () => {
    expect(build(sampleFunction({}), {}, { api_key: 'k', old: 'x' }).headers).toEqual({ 'x-key': 'k' })
  })
})

describe('request: account settings', () => {
  it('reach path, query, headers and body', () => {
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
  ])('make of %s and %j %s', (base_url, value, url) => {
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
  ])('never take %s elsewhere with %j', (base_url, value) => {
    expect(problems(sampleFunction({}, { ...site, base_url }), {}, { api_key: 'k', site: value })[0]).toMatch(/^account\.site: must /)
  })
})

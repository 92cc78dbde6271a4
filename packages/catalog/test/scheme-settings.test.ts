import { checkCredentials, connectFields, credentialFields, type Scheme, withDefaults } from '../src/index.ts'
import { build, find, problems, problemsOf, sampleApp, sampleFunction, sampleText } from './sample-app.ts'

const endpoint = { token_url: 'https://auth.example.com/token' }
const oauth = { type: 'oauth2', authorization_url: 'https://auth.example.com/authorize', ...endpoint }
const setting = (more: object = {}) => ({ title: 'A setting', description: 'A setting.', ...more })

describe('base_url of a scheme', () => {
  const auth = [
    { ...oauth, base_url: 'https://gateway.example.com/{account.cloud_id}' },
    { type: 'bearer', base_url: '{account.url}/api/v4/' },
    { type: 'api_key', in: 'header', name: 'X-Key' },
  ]
  const account_settings = { cloud_id: setting(), url: setting(), site: setting() }
  const app = sampleApp({ auth, account_settings, base_url: 'https://{account.site}.example.com' })
  const fn = find(app, 'run')

  it.each([
    [{ access_token: 'a', cloud_id: '7/8' }, 'https://gateway.example.com/7%2F8/run'],
    [{ token: 't', url: 'https://git.acme.example/sub/' }, 'https://git.acme.example/sub/api/v4/run'],
    [{ api_key: 'k', site: 'acme' }, 'https://acme.example.com/run'],
  ])('sends the request of the account %j to %s', (account, url) => {
    expect(build(fn, {}, account).url).toBe(url)
    const passthrough = find(app, 'passthrough-request')
    expect(new URL(build(passthrough, { url: '/x' }, account).url).origin).toBe(new URL(url).origin)
  })

  it('needs only the settings of its own scheme', () => {
    const fields = app.schemes.map((scheme) => connectFields(app, scheme).map(({ name }) => name))
    expect(fields).toEqual([['cloud_id'], ['token', 'url'], ['api_key', 'site']])
    expect(checkCredentials(app, { token: 't', url: 'ftp://x.example' })).toEqual([expect.stringMatching(/^url: must be an http/)])
    expect(problems(fn, {}, { access_token: 'a' })).toEqual(['account.cloud_id: is missing'])
  })

  it('keeps the next page on the server of the account', () => {
    const paged = { paging: { style: 'next_url', next: '/next' } }
    const list = find(sampleApp({ auth, account_settings, base_url: 'https://{account.site}.example.com' }, paged), 'run')
    const next = (account: Record<string, string>, url: string) => list.readResponse(200, { next: url }, null, {}, account).cursor
    const account = { token: 't', url: 'https://git.acme.example' }
    expect(next(account, 'https://git.acme.example/api/v4/run?page=2')).toBe('/api/v4/run?page=2')
    expect(next(account, 'https://acme.example.com/api/v4/run?page=2')).toBe('/api/v4/run?page=2')
    expect(next(account, 'https://acme.example.com/run?page=2')).toBeNull()
    expect(next({ api_key: 'k', site: 'acme' }, 'https://acme.example.com/run?page=2')).toBe('/run?page=2')
  })
})

describe('other_tokens', () => {
  const auth = [{ ...oauth, other_tokens: { user_token: '/authed_user/access_token' } }, { type: 'bearer' }]
  const search = { request: { method: 'GET', path: '/run', token: 'user_token' } }
  const fn = sampleFunction(search, { auth })
  const account = { access_token: 'bot', user_token: 'user' }

  it('sign only the functions that name them', () => {
    expect(build(fn, {}, account).headers).toEqual({ authorization: 'Bearer user' })
    expect(build(sampleFunction({}, { auth }), {}, account).headers).toEqual({ authorization: 'Bearer bot' })
    expect(build(fn, {}, { token: 'pasted' }).headers).toEqual({ authorization: 'Bearer pasted' })
  })

  it('are required by these functions only', () => {
    expect(problems(fn, {}, { access_token: 'bot' })).toEqual(['account.user_token: is missing'])
    expect(checkCredentials(fn.app, { access_token: 'bot' })).toEqual([])
    expect(checkCredentials(fn.app, { access_token: 'bot', user_token: '日' })).toEqual([
      'user_token: has characters that a header cannot carry',
    ])
  })

  it('are secret, and no form asks for them', () => {
    expect(credentialFields(fn.app).find(({ name }) => name === 'user_token')).toMatchObject({ secret: true, required: false })
    expect(connectFields(fn.app, fn.app.schemes[0] as Scheme)).toEqual([])
  })
})

describe('a setting with a default', () => {
  const account_settings = { host: setting({ default: 'api', pattern: '^api(\\.eu)?$' }) }
  const app = sampleApp({ auth: { type: 'bearer' }, account_settings, base_url: 'https://{account.host*}.example.com' })
  const fn = find(app, 'run')

  it.each([
    [{ token: 't' }, 'https://api.example.com/run'],
    [{ token: 't', host: 'api.eu' }, 'https://api.eu.example.com/run'],
  ])('builds the request of %j for %s', (account, url) => {
    expect(checkCredentials(app, account)).toEqual([])
    expect(build(fn, {}, withDefaults(app, account)).url).toBe(url)
  })

  it.each(['evil.example/', 'api.us', 'api.', '.eu', 'a b'])('refuses %j', (host) => {
    expect(checkCredentials(app, { token: 't', host })).toHaveLength(1)
    expect(problems(fn, {}, { token: 't', host })).toHaveLength(1)
  })

  it('returns the same credentials when there is nothing to add', () => {
    const account = { token: 't', host: 'api.eu' }
    expect(withDefaults(app, account)).toBe(account)
  })
})

describe('a host with a setting of several labels', () => {
  const app = sampleApp({
    auth: { type: 'bearer' },
    account_settings: { login: setting() },
    base_url: 'https://{account.login*}.example.com',
  })

  it('ends with the fixed domain', () => {
    expect(build(find(app, 'run'), {}, { token: 't', login: 'acme--dev.sandbox.my' }).url).toBe(
      'https://acme--dev.sandbox.my.example.com/run',
    )
    for (const login of ['evil.example/', 'evil.example#', 'a@evil', 'evil.example:8443', 'a..b', '.a', 'a.', '-a']) {
      expect(problems(find(app, 'run'), {}, { token: 't', login })).toEqual([
        expect.stringMatching(/^account\.login: must be the first parts of a host name/),
      ])
    }
  })
})

describe('encode_twice', () => {
  const request = { method: 'GET', path: '/past/{id}', encode_twice: ['id'] }
  const parameters = { properties: { id: { type: 'string', description: 'An id.' } }, required: ['id'] }
  const fn = sampleFunction({ parameters, request })

  it.each([
    ['/ajXp112QmuoKj4854875==', '%252FajXp112QmuoKj4854875%253D%253D'],
    ['aj//Xp==', 'aj%252F%252FXp%253D%253D'],
    ['aj/Xp==', 'aj%2FXp%3D%3D'],
    ['123', '123'],
  ])('encodes %j as %s', (id, segment) => {
    expect(build(fn, { id }).url).toBe(`https://api.example.com/past/${segment}`)
  })
})

describe('the load errors of these settings', () => {
  const withRequest = (request: object) => ({
    auth: { ...oauth, settings: { id: { request: { url: 'https://api.example.com/sites', value: '/id', ...request } } } },
    account_settings: { id: setting(), late: setting() },
  })
  it.each<[Record<string, unknown>, Record<string, unknown>, string]>([
    [{}, { request: { method: 'GET', path: '/run', token: 'user_token' } }, 'user_token is not one of other_tokens'],
    [{}, { request: { method: 'GET', path: '/run', encode_twice: ['id'] } }, 'has no {id}, which encode_twice names'],
    [{ account_settings: { a: setting({ default: 'x', pattern: '^y$' }) } }, {}, 'account_settings.a.default: a: must match ^y$'],
    [
      { base_url: 'https://{account.a}.example.com', account_settings: { a: setting({ default: 'x.y' }) } },
      {},
      'account_settings.a.default: a: must be one part of a host name',
    ],
    [{ auth: { type: 'bearer', base_url: 'https://{account.a}.example.com' } }, {}, 'auth.base_url: {account.a} is neither'],
    [{ auth: { type: 'bearer', base_url: '{account.a}/v1' } }, {}, 'auth.base_url: {account.a} is not in account_settings'],
    [
      {
        auth: [
          { type: 'bearer', base_url: '{account.a}' },
          { type: 'api_key', in: 'header', name: 'K' },
        ],
        base_url: 'https://{account.a}.example.com',
        account_settings: { a: setting() },
      },
      {},
      'account_settings.a: is a whole URL in base_url and cannot be a part of another URL',
    ],
    [withRequest({ url: 'https://api.example.com/{account.id}' }), {}, 'auth.settings.id.request.url: {account.id} is neither'],
    [withRequest({ where: { '/a': '{account.id}' } }), {}, 'auth.settings.id.request.where./a: {account.id} is neither'],
    [withRequest({ where: { a: 'x' } }), {}, 'auth.settings.id.request.where'],
  ])('%j with %j is refused', (app, fn, problem) => {
    expect(problemsOf(sampleText(app, fn)).join('\n')).toContain(problem)
  })
})

import { importOpenApi } from '../src/index.ts'
import { importDocument, openApi, swagger } from './import-document.ts'

type Parts = Readonly<Record<string, unknown>>

const paths = { '/pets': { get: {} } }
const imported = (parts: Parts, options = {}) => importDocument(openApi(paths, parts), options)
const withServer = (server: Parts) => imported({ servers: [server] })

describe('a server', () => {
  it('is the first one with https', async () => {
    const { file } = await imported({ servers: [{ url: 'http://a.example' }, { url: 'https://b.example/v1/' }] })
    expect(file?.base_url).toBe('https://b.example/v1')
  })

  it('is made from host and base path in OpenAPI 2.0', async () => {
    const { file } = await importDocument(swagger(paths, { schemes: ['http', 'https'] }))
    expect(file?.base_url).toBe('https://api.desk.example/v1')
  })

  it('turns variables in its host into account settings and uses defaults elsewhere', async () => {
    const variables = {
      tenant: { default: 'acme', description: 'Your *tenant*.' },
      region: { enum: ['eu', 'us'], default: 'us' },
      version: { default: 'v2' },
    }
    const { file } = await withServer({ url: 'https://{tenant}.{region}.desk.example/{version}', variables })
    expect(file?.base_url).toBe('https://{account.tenant}.us.desk.example/v2')
    expect(file?.account_settings).toEqual({ tenant: { title: 'Tenant', description: 'Your tenant.' } })
  })

  it('uses the defaults of variables in its path', async () => {
    const { file } = await withServer({ url: 'https://api.desk.example/{base}', variables: { base: { default: 'v3' } } })
    expect([file?.base_url, file?.account_settings]).toEqual(['https://api.desk.example/v3', undefined])
  })

  it('is the account’s own URL when its whole host is a variable, except when the variable is one of several real hosts', async () => {
    const withHost = async (host: Parts) => (await withServer({ url: 'https://{host}/api', variables: { host } })).file?.base_url
    expect(await withHost({ default: 'desk.example' })).toBe('{account.url}')
    expect(await withHost({ default: 'us.desk.dev', enum: ['us.desk.dev', 'eu.desk.dev'] })).toBe('https://us.desk.dev/api')
    expect(await withHost({ default: 'your-desk.com', enum: ['your-desk.com'] })).toBe('{account.url}')
    expect(await withHost({ default: 'localhost' })).toBe('{account.url}')
  })

  it.each([
    ['https://{yourOktaDomain}', '{account.url}'],
    ['https://example.com/api', '{account.url}'],
    ['https://api.example.co.uk', '{account.url}'],
    ['https://localhost:8443', '{account.url}'],
    ['https://127.0.0.1/api', '{account.url}'],
    ['https://desk.local', '{account.url}'],
    ['https://desk', '{account.url}'],
    ['https://your-domain.com/api', '{account.url}'],
    ['https://api.yourcompany.com', '{account.url}'],
    ['https://<your-host>/api', '{account.url}'],
    ['https://{tenant}.co.uk', '{account.url}'],
    ['{endpoint}/api', '{account.url}'],
    ['https://your-domain.desk.dev/rest', 'https://{account.domain}.desk.dev/rest'],
    ['https://mycompany.desk.dev', 'https://{account.company}.desk.dev'],
    ['https://<tenant>.desk.dev', 'https://{account.tenant}.desk.dev'],
    ['https://\u0024{site}.desk.dev', 'https://{account.site}.desk.dev'],
    ['https://example.{region}.desk.dev', 'https://{account.subdomain}.{account.region}.desk.dev'],
    ['//api.desk.dev/v1', 'https://api.desk.dev/v1'],
    ['https://mybusiness.desk.dev', 'https://mybusiness.desk.dev'],
    ['https://company.desk.dev', 'https://company.desk.dev'],
  ])('never sends credentials to a placeholder host: %s becomes %s', async (url, expected) => {
    const { file } = await withServer({ url })
    expect(file?.base_url).toBe(expected)
    const named = [...expected.matchAll(/account\.(\w+)/g)].map(([, name]) => name)
    expect(new Set(Object.keys(file?.account_settings ?? {}))).toEqual(new Set(named))
  })

  it('is an account setting in OpenAPI 2.0 when the host is a placeholder or a template', async () => {
    const urlOf = async (parts: Parts) => (await importDocument(swagger(paths, parts))).file?.base_url
    expect(await urlOf({ host: 'localhost:8080' })).toBe('{account.url}')
    expect(await urlOf({ host: 'your-site.desk.dev' })).toBe('https://{account.site}.desk.dev/v1')
    const template = (hostTemplate: string, useSchemePrefix?: boolean) => ({
      host: undefined,
      basePath: '',
      'x-ms-parameterized-host': { hostTemplate, useSchemePrefix },
    })
    expect(await urlOf(template('{vault}.desk.dev'))).toBe('https://{account.vault}.desk.dev')
    expect(await urlOf(template('{endpoint}/language', false))).toBe('{account.url}')
  })

  it.each([
    ['https://api.desk.dev/openapi.json', 'https://api.desk.dev/api'],
    ['https://raw.githubusercontent.com/desk/api/openapi.json', '{account.url}'],
    ['https://desk-docs.s3.eu-west-1.amazonaws.com/openapi.json', '{account.url}'],
  ])('without a host is the origin of the document, unless others publish documents there: %s becomes %s', async (from, expected) => {
    const document = JSON.stringify(openApi(paths, { servers: [{ url: '/api' }] }))
    const { file } = await importOpenApi(from, { name: 'desk', fetchText: async () => document })
    expect(file?.base_url).toBe(expected)
  })

  it('of an operation is refused when it is a placeholder', async () => {
    const { report } = await importDocument(openApi({ '/files': { get: { servers: [{ url: 'https://files.example.com' }] } } }))
    expect(report.skipped).toEqual([{ operation: 'GET /files', reasons: ['its own server is not a fixed https address'] }])
  })

  it.each<[Parts]>([
    [{ servers: [{ url: 'http://desk.example' }] }],
    [{ servers: [] }],
    [{ servers: [{ url: '/api' }] }],
    [{ servers: [{ url: 'https://user@desk.example/?a=b' }] }],
  ])('that cannot be called is reported and can be replaced: %j', async (parts) => {
    const { file, report } = await imported(parts)
    expect(file?.base_url).toBe('{account.url}')
    expect(Object.keys(file?.account_settings ?? {})).toEqual(['url'])
    expect(report.notes).toContainEqual(expect.stringMatching(/^the document names no .*another base URL is given$/))
    const given = await imported(parts, { baseUrl: 'https://mine.example/api' })
    expect([given.file?.base_url, given.report.notes.filter((note) => note.includes('server'))]).toEqual(['https://mine.example/api', []])
  })

  it.each(['http://127.0.0.1:4650', 'http://localhost:4650/v1'])('of this machine is named as the base URL to give: %s', async (url) => {
    const { report } = await imported({ servers: [{ url: 'http://desk.example' }, { url }] })
    const [, given = ''] =
      report.notes.map((note) => /for the API on this machine, give (\S+)$/.exec(note)).find((found) => found !== null) ?? []
    expect((await imported({}, { baseUrl: given })).file?.base_url).toBe(url)
  })

  it('is one of this machine only when it is given', async () => {
    const baseUrl = 'http://127.0.0.1:4650/v1'
    expect((await imported({}, { baseUrl: `${baseUrl}/` })).file?.base_url).toBe(baseUrl)
    expect((await imported({ servers: [{ url: baseUrl }] })).file?.base_url).toBe('{account.url}')
    await expect(imported({}, { baseUrl: 'http://127.0.0.1.example' })).rejects.toMatchObject({ option: 'baseUrl' })
  })

  it('must be https when another one is given', async () => {
    await expect(imported({}, { baseUrl: 'http://mine.example' })).rejects.toMatchObject({
      option: 'baseUrl',
      message: 'must be https:// with a host and optionally a path; http:// is only for localhost and 127.0.0.1',
    })
  })

  it('is reported with the reason why requests do not go there', async () => {
    const urls = [
      'http://desk.example',
      '/api',
      'https://your-domain.example.com',
      'https://api.desk.example/v1',
      'https://eu.desk.example',
    ]
    const { report } = await imported({ servers: [...urls, 'https://{host}'].map((url) => ({ url })) })
    expect(report.servers.map(({ reason }) => reason)).toEqual([
      'it is not https',
      'it has no host',
      'its host is a placeholder, not the host of the API',
      null,
      'another server is used',
      'it is not a fixed https address',
    ])
  })

  it('becomes a further host when a path or an operation declares it', async () => {
    const servers = [{ url: 'https://files.desk.example/up' }]
    const document = openApi({
      '/files': { servers, post: { operationId: 'uploadFile' }, get: { servers: [{ url: 'https://api.desk.example/v1' }] } },
      '/pets': { get: {} },
    })
    const { file } = await importDocument(document)
    expect(file?.hosts).toEqual(['files.desk.example'])
    expect(file?.functions['upload-file']?.request).toEqual({ method: 'POST', host: 'files.desk.example', path: '/up/files' })
    expect(file?.functions['list-files']?.request).toEqual({ method: 'GET', path: '/files' })
  })
})

describe('a security scheme', () => {
  const oauth = (flows: Parts) => ({ type: 'oauth2', flows })
  const code = { authorizationUrl: 'https://desk.example/auth', tokenUrl: 'https://desk.example/token', scopes: { read: '', write: '' } }
  const auth = async (schemes: Parts, security?: unknown[], operation: Parts = {}) => {
    const parts = { components: { securitySchemes: schemes }, ...(security ? { security } : {}) }
    const { file, report } = await importDocument(openApi({ '/pets': { get: operation } }, parts))
    return { auth: file?.auth, notes: report.notes }
  }

  it.each<[Parts, unknown, boolean]>([
    [{ type: 'apiKey', in: 'header', name: 'X-Key' }, { type: 'api_key', in: 'header', name: 'X-Key' }, false],
    [{ type: 'apiKey', in: 'query', name: 'key' }, { type: 'api_key', in: 'query', name: 'key' }, false],
    [{ type: 'apiKey', in: 'header', name: 'Authorization', description: 'Bearer token' }, { type: 'bearer' }, false],
    [{ type: 'http', scheme: 'basic' }, { type: 'basic' }, false],
    [{ type: 'http', scheme: 'Bearer' }, { type: 'bearer' }, false],
    [
      oauth({ authorizationCode: code }),
      { type: 'oauth2', authorization_url: code.authorizationUrl, token_url: code.tokenUrl, scopes: ['read'] },
      false,
    ],
    [
      oauth({ authorizationCode: { ...code, refreshUrl: 'https://desk.example/renew' } }),
      {
        type: 'oauth2',
        authorization_url: code.authorizationUrl,
        token_url: code.tokenUrl,
        refresh_url: 'https://desk.example/renew',
        scopes: ['read'],
      },
      false,
    ],
    [
      oauth({ clientCredentials: { tokenUrl: code.tokenUrl, scopes: {} } }),
      { type: 'oauth2_client_credentials', token_url: code.tokenUrl, scopes: ['read'] },
      false,
    ],
    [oauth({ implicit: code }), { type: 'bearer' }, true],
    [oauth({ authorizationCode: { ...code, tokenUrl: '/token' } }), { type: 'bearer' }, true],
    [oauth({ authorizationCode: { ...code, tokenUrl: 'https://example.com/token' } }), { type: 'bearer' }, true],
    [oauth({ clientCredentials: { tokenUrl: 'https://your-domain.desk.dev/token', scopes: {} } }), { type: 'bearer' }, true],
    [{ type: 'openIdConnect', openIdConnectUrl: 'https://desk.example' }, { type: 'bearer' }, true],
    [{ type: 'mutualTLS' }, { type: 'none' }, true],
    [{ type: 'apiKey', in: 'cookie', name: 'sid' }, { type: 'none' }, true],
    [{ type: 'http', scheme: 'digest' }, { type: 'none' }, true],
  ])('%j becomes %j', async (scheme, expected, noted) => {
    const found = await auth({ one: scheme }, [{ one: ['read'] }])
    expect(found.auth).toEqual(expected)
    expect(found.notes.length > 0).toBe(noted)
  })

  it('is converted from OpenAPI 2.0', async () => {
    const securityDefinitions = {
      a: { type: 'basic' },
      b: { type: 'oauth2', flow: 'accessCode', authorizationUrl: code.authorizationUrl, tokenUrl: code.tokenUrl, scopes: {} },
    }
    const { file } = await importDocument(swagger({ '/pets': { get: { security: [{ a: [] }, { b: ['x'] }] } } }, { securityDefinitions }))
    expect(file?.auth).toEqual([
      { type: 'basic' },
      { type: 'oauth2', authorization_url: code.authorizationUrl, token_url: code.tokenUrl, scopes: ['x'] },
    ])
  })

  it('becomes one of a list with each type once', async () => {
    const schemes = { a: { type: 'http', scheme: 'bearer' }, b: { type: 'http', scheme: 'basic' }, c: { type: 'http', scheme: 'bearer' } }
    expect(await auth(schemes, [{ a: [] }, { b: [] }, { c: [] }])).toEqual({ auth: [{ type: 'bearer' }, { type: 'basic' }], notes: [] })
  })

  it('takes what the document says of the scopes that it requests', async () => {
    const scopes = { read: ' See\n  books ', write: '', other: 'Do more' }
    const { auth: found } = await auth({ one: oauth({ authorizationCode: { ...code, scopes } }) }, [{ one: ['read', 'write'] }])
    expect(found).toMatchObject({ scopes: ['read', 'write'], scope_descriptions: { read: 'See books' } })
  })

  it('requests the scopes of all operations', async () => {
    const { auth: found } = await auth({ one: oauth({ authorizationCode: code }) }, [{ one: ['read'] }], { security: [{ one: ['write'] }] })
    expect(found).toMatchObject({ scopes: ['read', 'write'] })
  })

  it('has a field for each key when keys are needed together', async () => {
    const schemes = { a: { type: 'apiKey', in: 'header', name: 'DD-API-KEY' }, b: { type: 'apiKey', in: 'query', name: 'token' } }
    const { auth: found } = await auth(schemes, [{ a: [], b: [] }])
    expect(found).toMatchObject({ type: 'custom', headers: { 'DD-API-KEY': '{dd_api_key}' }, query: { token: '{token}' } })
    expect(Object.keys((found as { fields: object }).fields)).toEqual(['dd_api_key', 'token'])
  })

  it('is used even when no operation names it', async () => {
    const found = await auth({ a: { type: 'http', scheme: 'bearer' } })
    expect(found).toEqual({ auth: { type: 'bearer' }, notes: [expect.stringContaining('no operation names its authentication')] })
  })

  it('is reported when it is missing', async () => {
    expect(await auth({}, [{ gone: [] }])).toEqual({
      auth: { type: 'none' },
      notes: ['gone: is not described', expect.stringContaining('no usable authentication')],
    })
  })
})

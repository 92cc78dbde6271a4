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

  it('uses the default, or the account’s own URL, when its whole host is a variable', async () => {
    const url = 'https://{host}/api'
    expect((await withServer({ url, variables: { host: { default: 'desk.example' } } })).file?.base_url).toBe('https://desk.example/api')
    expect((await withServer({ url, variables: { host: { default: 'localhost' } } })).file?.base_url).toBe('{account.url}')
  })

  it.each<[Parts]>([
    [{ servers: [{ url: 'http://desk.example' }] }],
    [{ servers: [] }],
    [{ servers: [{ url: '/api' }] }],
    [{ servers: [{ url: 'https://user@desk.example/?a=b' }] }],
  ])('that cannot be called is reported and can be replaced with --base-url: %j', async (parts) => {
    const { file, report } = await imported(parts)
    expect(file?.base_url).toBe('{account.url}')
    expect(Object.keys(file?.account_settings ?? {})).toEqual(['url'])
    expect(report.notes).toContainEqual(expect.stringMatching(/^the document names no .*--base-url is given$/))
    const given = await imported(parts, { baseUrl: 'https://mine.example/api' })
    expect([given.file?.base_url, given.report.notes.filter((note) => note.includes('server'))]).toEqual(['https://mine.example/api', []])
  })

  it('must be https when it is given with --base-url', async () => {
    await expect(imported({}, { baseUrl: 'http://mine.example' })).rejects.toThrow('--base-url http://mine.example: must be https://')
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
      oauth({ clientCredentials: { tokenUrl: code.tokenUrl, scopes: {} } }),
      { type: 'oauth2_client_credentials', token_url: code.tokenUrl, scopes: ['read'] },
      false,
    ],
    [oauth({ implicit: code }), { type: 'bearer' }, true],
    [oauth({ authorizationCode: { ...code, tokenUrl: '/token' } }), { type: 'bearer' }, true],
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

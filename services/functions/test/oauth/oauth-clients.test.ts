import { appFile, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

let onward: OAuthFunctions

beforeAll(async () => {
  const url = 'https://oak.example.com'
  const auth = [{ type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` }, { type: 'bearer' }]
  onward = await openWithApps([appFile('oak', url, auth)])
})

const PATH = '/admin/applications/app-1/oauth-clients'
const SECRET = 'oak-secret-0123456789'

describe('PUT /admin/applications/:app_key/oauth-clients/:app', () => {
  it('stores the client sealed, replaces the previous one and never returns the secret', async () => {
    const stored = { app: 'oak', client_id: 'first', scopes: null, modified_at: expect.any(String) }
    expect((await onward.setClient('oak', 'first', 'first-secret').expect(200)).body).toEqual(stored)
    expect((await onward.setClient('oak', 'second', SECRET).expect(200)).body).toEqual({ ...stored, client_id: 'second' })
    expect((await onward.admin('get', PATH).expect(200)).body).toEqual({ oauth_clients: [{ ...stored, client_id: 'second' }] })
    const rows = await onward.db.selectFrom('oauth_client').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sealed_client_secret.includes(SECRET)).toBe(false)
  })

  it('stores the scopes, keeps them when they are omitted, and restores those of the app with null', async () => {
    const put = async (more: object) => {
      const { body } = await onward.admin('put', `${PATH}/oak`, { client_id: 'second', client_secret: SECRET, ...more }).expect(200)
      return body.scopes
    }
    expect(await put({ scopes: ['read', 'write:all'] })).toEqual(['read', 'write:all'])
    expect(await put({})).toEqual(['read', 'write:all'])
    expect((await onward.admin('get', PATH).expect(200)).body.oauth_clients[0].scopes).toEqual(['read', 'write:all'])
    expect(await put({ scopes: null })).toBeNull()
  })

  it('replaces only the client that the caller has read, if it says which', async () => {
    const put = (clientId: string, expected: object) =>
      onward.admin('put', `${PATH}/oak`, { client_id: clientId, client_secret: SECRET, if_unchanged: expected })
    await put('third', { client_id: null }).expect(409)
    await put('third', { client_id: 'second', scopes: ['read'] }).expect(409)
    await put('third', { client_id: 'second', scopes: null }).expect(200)
    const { body } = await put('fourth', { client_id: 'second' }).expect(409)
    expect([body.code, body.error_details]).toEqual(['changed_since_read', ['client_id: has changed']])
    expect((await onward.admin('get', PATH).expect(200)).body.oauth_clients[0].client_id).toBe('third')
    await onward.admin('delete', `${PATH}/oak`).expect(200)
    await put('second', { client_id: null, scopes: null }).expect(200)
  })

  it.each([
    ['an unknown application', '/admin/applications/nobody/oauth-clients/oak', 404, 'application_not_found'],
    ['an unknown app', `${PATH}/nothing`, 404, 'app_not_found'],
    ['an app without OAuth', `${PATH}/desk`, 400, 'invalid_parameters'],
  ])('refuses a client for %s', async (_name, path, status, code) => {
    const { body } = await onward.admin('put', path, { client_id: 'a', client_secret: SECRET }).expect(status)
    expect(body.code).toBe(code)
  })

  it.each([
    [{ client_id: 'a' }],
    [{ client_id: '', client_secret: SECRET }],
    [{ client_id: 'a', client_secret: 'a\nb' }],
    [{ client_id: 'a', client_secret: SECRET, more: 1 }],
    [{ client_id: 'a', client_secret: SECRET, scopes: [] }],
    [{ client_id: 'a', client_secret: SECRET, scopes: ['a b'] }],
    [{ client_id: 'a', client_secret: SECRET, scopes: ['a', 'a'] }],
    [{ client_id: 'a', client_secret: SECRET, scopes: 'a' }],
  ])('refuses %j without repeating it', async (body) => {
    const response = await onward.admin('put', `${PATH}/oak`, body).expect(400)
    expect(response.body.code).toBe('invalid_parameters')
    expect(response.text).not.toContain(SECRET)
  })
})

describe('the sealed secret of a client', () => {
  it('can be decrypted only in its own row', async () => {
    const other = await onward.makeApplication('app-2')
    await onward.setClient('oak', 'second', SECRET).expect(200)
    const row = await onward.db.selectFrom('oauth_client').selectAll().executeTakeFirstOrThrow()
    await onward.db
      .insertInto('oauth_client')
      .values({ ...row, app_key: 'app-2' })
      .execute()
    const credentials = { access_token: 'x', refresh_token: 'y', expires_at: '2020-01-01T00:00:00Z' }
    const body = { user_id: 'joe', app: 'oak', credentials }
    await onward.admin('post', '/admin/applications/app-2/connected-accounts', body).expect(200)
    expect((await onward.user('joe', other).call('oak-get-me', {}).expect(500)).body.code).toBe('internal_error')
  })
})

describe('DELETE /admin/applications/:app_key/oauth-clients/:app', () => {
  it('deletes the client', async () => {
    await onward.setClient('oak', 'second', SECRET).expect(200)
    await onward.admin('delete', `${PATH}/oak`).expect(200, { success: true })
    expect((await onward.admin('delete', `${PATH}/oak`).expect(404)).body.code).toBe('oauth_client_not_found')
    expect((await onward.admin('get', PATH).expect(200)).body).toEqual({ oauth_clients: [] })
  })
})

describe('GET /admin/applications/:app_key/oauth-clients', () => {
  it('answers 404 for an unknown application', async () => {
    await onward.admin('get', '/admin/applications/nobody/oauth-clients').expect(404)
  })
})

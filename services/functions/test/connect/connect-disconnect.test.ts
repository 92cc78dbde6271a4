import { openSealer } from '@onward/runtime'
import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { accountsOf, connectedId, headingOf, loginUrlOf, openBrowser } from '../support/connecting.ts'
import { appFile, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

let provider: ScriptedServer
let onward: OAuthFunctions

beforeAll(async () => {
  provider = await openScriptedServer()
  const { url } = provider
  const urls = { authorization_url: `${url}/auth`, token_url: `${url}/token` }
  onward = await openWithApps([
    appFile(
      'oak',
      url,
      { type: 'oauth2', ...urls, revocation_url: `${url}/revoke` },
      { identity: { function: 'get-me', name: '/name', id: '/id' } },
    ),
    appFile('elm', url, { type: 'oauth2', ...urls }),
    appFile('fir', url, { type: 'oauth2', ...urls, revocation_url: `${url}/revoke` }),
  ])
  for (const app of ['oak', 'elm']) await onward.setClient(app, 'id', 'client-secret-0123456789').expect(200)
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.received.length = 0
  provider.respond((_received, response) => sendJson(response, 200, {}))
})

const TOKENS = { access_token: 'access-0123456789', refresh_token: 'refresh-0123456789' }
const remove = (userId: string, id: number | string, query = '') =>
  request(onward.url).delete(`/connected-accounts/${id}${query}`).set(onward.user(userId).headers)
const connect = async (userId: string, app: string): Promise<number> => (await onward.connect(userId, app, TOKENS).expect(200)).body.id
const ids = async () => (await accountsOf(onward)).map(({ id }) => Number(id))

describe('DELETE /connected-accounts/:id', () => {
  it.each(['', '/'])('disconnects an account of the caller when the path ends with %j', async (slash) => {
    const id = await onward.user('joe').connect('desk')
    expect((await remove('joe', `${id}${slash}`).expect(200)).body).toEqual({ success: true })
    expect(await ids()).not.toContain(id)
    expect((await remove('joe', id).expect(404)).body.code).toBe('connected_account_not_found')
  })

  it('answers 401 without credentials and 404 for an account of another user or application', async () => {
    const id = await onward.user('joe').connect('desk')
    await request(onward.url).delete(`/connected-accounts/${id}`).expect(401)
    const other = await onward.makeApplication('app-2')
    for (const headers of [onward.user('ann').headers, onward.user('joe', other).headers]) {
      const { body } = await request(onward.url).delete(`/connected-accounts/${id}?force=true`).set(headers).expect(404)
      expect(body).toEqual({
        error: 'you have no such connected account',
        error_details: [],
        code: 'connected_account_not_found',
        request_id: expect.any(String),
      })
    }
    expect(await ids()).toContain(id)
  })

  it('disconnects an account of an app that no longer exists', async () => {
    const id = await onward.user('joe').connect('desk')
    await onward.db.updateTable('connected_account').set({ app: 'gone' }).where('id', '=', String(id)).execute()
    await remove('joe', id).expect(200)
    expect(await ids()).not.toContain(id)
  })

  it.each(['0', '-1', '1.5', '1e3', 'x', '9'.repeat(30), '1%00', '%2e%2e'])('answers 404 for the id %s', async (id) => {
    expect((await remove('joe', id).expect(404)).body.code).toMatch(/not_found$/)
  })

  it('revokes the refresh token at the app (RFC 7009)', async () => {
    const id = await connect('joe', 'oak')
    await remove('joe', id).expect(200)
    expect(provider.received.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /revoke'])
    expect(Object.fromEntries(new URLSearchParams(provider.received[0]?.body))).toMatchObject({
      token: TOKENS.refresh_token,
      client_id: 'id',
    })
    expect(await ids()).not.toContain(id)
  })

  it.each<[string, () => void]>([
    [
      'refuses the revocation',
      () =>
        provider.respond((_received, response) =>
          sendJson(response, 400, { error: 'invalid_client', error_description: TOKENS.refresh_token }),
        ),
    ],
    ['answers 500', () => provider.respond((_received, response) => void response.writeHead(500).end('oops'))],
    ['closes the connection', () => provider.respond((_received, _response, { socket }) => void socket.destroy())],
  ])('keeps the account when the app %s, unless force is true', async (_what, script) => {
    script()
    const id = await connect('joe', 'oak')
    const { body, text } = await remove('joe', id).expect(502)
    expect(body.code).toBe('revocation_failed')
    expect(body.error).toMatch(/^Oak did not revoke its access, so the account stays connected: /)
    expect(text).not.toMatch(/0123456789/)
    expect(await ids()).toContain(id)
    await remove('joe', id, '?force=false').expect(502)
    await remove('joe', id, '?force=true').expect(200)
    expect(await ids()).not.toContain(id)
  })

  it('tells the user on the page of accounts that the app did not revoke its access, and asks again', async () => {
    const id = await connect('joe', 'oak')
    provider.respond((_received, response) => void response.writeHead(500).end())
    const { body } = await onward.user('joe').post('/connect/session', { manage: true }).expect(200)
    const browser = openBrowser()
    await browser.open(body.url)
    const failed = await browser.submit(await browser.open(`${body.url}/${id}/disconnect`))
    expect([failed.status, headingOf(failed)]).toEqual([502, 'Disconnect Oak?'])
    expect(failed.text).toContain('Oak did not revoke its access, so the account stays connected: ')
    expect(failed.text).toContain('<button class="danger" type="submit">Disconnect all the same</button>')
    expect(await ids()).toContain(id)
    expect((await browser.submit(failed, { force: 'true' })).status).toBe(303)
    expect(await ids()).not.toContain(id)
  })

  it('deletes the account without a request when the app has no revocation endpoint', async () => {
    await remove('joe', await connect('joe', 'elm')).expect(200)
    expect(provider.received).toEqual([])
  })

  it('answers 502 when the application has no OAuth client to revoke with', async () => {
    const id = await connect('joe', 'fir')
    expect((await remove('joe', id).expect(502)).body.code).toBe('revocation_failed')
    await remove('joe', id, '?force=1').expect(200)
  })

  it('deletes an account by force even when its credentials cannot be decrypted', async () => {
    const id = await connect('joe', 'oak')
    const broken = openSealer([{ id: 'lost', key: Buffer.alloc(32, 9) }]).seal('{}', 'x')
    await onward.db.updateTable('connected_account').set({ sealed_credentials: broken }).where('id', '=', String(id)).execute()
    await remove('joe', id).expect(500)
    await remove('joe', id, '?force=true').expect(200)
    expect(await ids()).not.toContain(id)
  })

  it('refuses a value of force that is not a boolean', async () => {
    expect((await remove('joe', 1, '?force=maybe').expect(400)).body.code).toBe('invalid_parameters')
  })
})

describe('an account that is not confirmed within a day', () => {
  const pending = () => onward.db.selectFrom('pending_account').selectAll().execute()

  /** Signs in at Oak as the owner of an account there. Returns what the application would confirm. */
  async function signIn(userId: string, owner: string): Promise<{ id: number; confirmation: string }> {
    const browser = openBrowser()
    const { headers } = await browser.submit(await browser.open(await loginUrlOf(onward.user(userId), 'oak')))
    const state = new URL(headers.location ?? '').searchParams.get('state')
    const page = await browser.open(`${onward.url}/connect/callback?state=${state}&code=${owner}`)
    return { id: connectedId(page), confirmation: /confirmation: "([\w-]{43})"/.exec(page.text)?.[1] ?? 'none' }
  }

  /** Turns `confirm_accounts` on. Returns a function that lists the tokens that were revoked. */
  async function confirmAccounts() {
    const put = { workspace_id: 'workspace-1', name: 'app-1', confirm_accounts: true }
    await onward.admin('put', '/admin/applications/app-1', put).expect(200)
    // A token belongs to the owner that its name ends with. Oak does not revoke the one of `stubborn`.
    provider.respond(({ url, body, headers }, response) => {
      const tokens = (owner: string | null) => ({ access_token: `access-${owner}`, refresh_token: `refresh-${owner}` })
      const owner = String(headers.authorization).split('-').at(-1)
      if (url === '/token') return sendJson(response, 200, { ...tokens(new URLSearchParams(body).get('code')), token_type: 'bearer' })
      if (url === '/me') return sendJson(response, 200, { id: owner, name: owner })
      return sendJson(response, body.includes('stubborn') ? 500 : 200, {})
    })
    return () => provider.received.filter(({ url }) => url === '/revoke').map(({ body }) => new URLSearchParams(body).get('token') ?? '')
  }

  it('is deleted, and revoked unless its owner may have a connected account', async () => {
    const revoked = await confirmAccounts()

    await connect('imported', 'oak')
    const { id, confirmation } = await signIn('ada', 'confirmed')
    await onward.user('ada').post(`/connected-accounts/${id}/confirm`, { confirmation }).expect(200)
    const before = await ids()
    const left: [string, string][] = [
      ['ada', 'confirmed'],
      ['bob', 'confirmed'],
      ['imported', 'unknown'],
      ['cleo', 'stubborn'],
      ['dan', 'alone'],
    ]
    for (const [userId, owner] of left) await signIn(userId, owner)
    await onward.db
      .updateTable('pending_account')
      .set({ created_at: new Date(Date.now() - 24 * 3_600_000 - 1_000) })
      .execute()
    await eventually(async () => {
      expect(await pending()).toEqual([])
      expect(revoked().toSorted()).toEqual(['refresh-alone', 'refresh-stubborn'])
    })
    expect(await ids()).toEqual(before)
  })

  it('is deleted and revoked earlier if it is the oldest of more than 100 of the user, unless a newer one has the same owner', async () => {
    const revoked = await confirmAccounts()
    const [first, second] = [await signIn('eve', 'first'), await signIn('eve', 'second')]
    await sql`
      insert into pending_account (id, app_key, user_id, app, display_name, sealed_credentials, external_id, confirmation_hash)
      select nextval(pg_get_serial_sequence('connected_account', 'id')), app_key, user_id, app, display_name, sealed_credentials,
        case n when 1 then external_id else n::text end, confirmation_hash
      from pending_account, generate_series(1, 98) n where id = ${second.id}`.execute(onward.db)
    const other = await signIn('fay', 'other')
    const before = revoked()
    const third = await signIn('eve', 'third')
    expect(revoked()).toEqual([...before, 'refresh-first'])
    const fourth = await signIn('eve', 'fourth')
    expect(revoked()).toEqual([...before, 'refresh-first'])
    const rows = await pending()
    expect(rows.filter(({ user_id }) => user_id === 'eve')).toHaveLength(100)
    const confirm = (userId: string, { id, confirmation }: typeof first) =>
      onward.user(userId).post(`/connected-accounts/${id}/confirm`, { confirmation })
    for (const gone of [first, second]) await confirm('eve', gone).expect(404)
    for (const kept of [third, fourth]) await confirm('eve', kept).expect(200)
    await confirm('fay', other).expect(200)
  })
})

import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { appFile, inSeconds, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

const CODES = ['invalid_auth', 'account_inactive', 'token_revoked', 'token_expired']
const EXPIRED = inSeconds(-10)

let server: ScriptedServer
let onward: OAuthFunctions
/** The tokens that the app accepts; any other gets `code`, under `status`. */
let good: Set<string>
let code: string | number
let status: number
/** The tokens that each refresh token is exchanged for; any other gets 400 or `tokenStatus`. */
let grants: Record<string, object>
let tokenStatus: number

beforeAll(async () => {
  server = await openScriptedServer()
  const { url } = server
  const named = {
    error: { pointer: '/ok', equals: false },
    refused: { pointer: '/error', values: [...CODES, 190] },
    identity: { function: 'get-me', name: '/name' },
  }
  const soft = appFile('soft', url, { type: 'bearer' }, named)
  const oauth2 = {
    type: 'oauth2',
    authorization_url: `${url}/auth`,
    token_url: `${url}/token`,
    other_tokens: { user_token: '/authed_user/access_token' },
  }
  const chat = appFile('chat', url, oauth2, named) as { functions: Record<string, object> }
  const request = { method: 'GET', path: '/search', token: 'user_token' }
  chat.functions.search = { title: 'Search', description: 'Searches.', type: 'QUERY', request }
  onward = await openWithApps([soft, chat])
  await onward.setClient('chat', 'chat-client', 'chat-secret-0123456789').expect(200)
})
afterAll(() => server.close())

beforeEach(() => {
  server.received.length = 0
  good = new Set()
  code = 'token_revoked'
  status = 200
  grants = {}
  tokenStatus = 400
  server.respond(({ url, headers, body }, response) => {
    if (url === '/token') {
      const granted = grants[new URLSearchParams(body).get('refresh_token') ?? '']
      return granted === undefined ? sendJson(response, tokenStatus, { error: 'invalid_refresh_token' }) : sendJson(response, 200, granted)
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (good.has(token)) return sendJson(response, 200, { ok: true, name: 'Ada' })
    sendJson(response, status, { ok: false, error: code })
  })
})

const urls = () => server.received.map(({ url }) => url)
const test = (id: number) =>
  onward.admin('post', `/admin/applications/${onward.application.appKey}/connected-accounts/${id}/test`).expect(200)

describe('a challenge that refuses the token', () => {
  it.each([
    [400, 'Bearer error="invalid_token"', 'expired'],
    [403, 'Basic realm="x", Bearer realm="y", error=invalid_token, error_description="gone"', 'expired'],
    [403, 'Bearer error="insufficient_scope"', 'active'],
    [200, 'Bearer error="invalid_token"', 'active'],
  ])('under status %i, %s, makes the account %s', async (answered, challenge, expected) => {
    server.respond((_received, response) => void response.writeHead(answered, { 'www-authenticate': challenge }).end('{}'))
    const { getMe, account } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
    await getMe().expect(200)
    expect((await account()).status).toBe(expected)
  })

  it('causes a renewal under status 403', async () => {
    grants = { 'refresh-0123456789': { access_token: 'bot-new-0123456789', token_type: 'bearer' } }
    const answer = { 'www-authenticate': 'Bearer error="invalid_token"' }
    server.respond(({ url, headers }, response) => {
      if (url === '/token') return sendJson(response, 200, grants['refresh-0123456789'])
      if (headers.authorization === 'Bearer bot-new-0123456789') return sendJson(response, 200, { ok: true })
      response.writeHead(403, answer).end('{}')
    })
    const { getMe, account } = await onward.userWith('chat', { access_token: 'bot-old-0123456789', refresh_token: 'refresh-0123456789' })
    expect((await getMe().expect(200)).body.output).toEqual({ ok: true })
    expect((await account()).status).toBe('active')
  })
})

describe('a code that refuses the credentials', () => {
  it.each([...CODES.map((each) => [200, each] as const), [400, 190], [403, 'token_revoked']] as const)(
    'under status %s, %s, makes an account without a refresh token ask the user to connect again',
    async (answered, each) => {
      status = answered
      code = each
      const { user, getMe, account } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
      expect((await getMe().expect(200)).body).toMatchObject({ network_code: answered, output: { error: each } })
      expect(await account()).toMatchObject({
        status: 'reconnect_required',
        last_error: expect.stringContaining(`Soft answered ${answered}`),
      })
      const refused = await getMe().expect(400)
      expect(refused.body).toMatchObject({ code: 'account_reconnect_required', login_url: expect.stringMatching(/connect/) })
      expect((await user.post('/apps/soft/get').expect(200)).body.connected_accounts).toMatchObject([{ status: 'reconnect_required' }])
      expect(urls()).toEqual(['/me'])
    },
  )

  it('is told from other errors and from the content of a successful response', async () => {
    const { getMe, account } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
    code = 'ratelimited'
    await getMe().expect(200)
    server.respond((_received, response) => sendJson(response, 200, { ok: true, error: 'token_revoked' }))
    await getMe().expect(200)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('changes the status in the test of an account too, and a later test that works makes the account active again', async () => {
    const { id, account } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
    expect((await test(id)).body).toMatchObject({
      ok: false,
      problem: 'Soft did not accept these credentials. Please check them and try again.',
    })
    expect((await account()).status).toBe('reconnect_required')
    good.add('soft-token-0123456789')
    expect((await test(id)).body).toMatchObject({ ok: true, name: 'Ada' })
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('may be a number in any notation', async () => {
    const { getMe, account } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
    server.respond((_received, response) => void response.end('{"ok":false,"error":190.0}'))
    await getMe().expect(200)
    expect((await account()).status).toBe('reconnect_required')
  })

  it('is not read in the response of another host, to which a redirect led without the credentials', async () => {
    const other = await openScriptedServer()
    other.respond((_received, response) => sendJson(response, 401, { ok: false, error: 'token_revoked' }))
    server.respond((_received, response) => void response.writeHead(302, { location: `${other.url}/file` }).end())
    const { getMe, account } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
    expect((await getMe().expect(200)).body.network_code).toBe(401)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
    await other.close()
  })

  it('leaves an account expired that answers only with other errors', async () => {
    const { id, getMe, account } = await onward.userWith('soft', { token: 'soft-token-0123456789' })
    await onward.db.updateTable('connected_account').set({ status: 'expired' }).where('id', '=', String(id)).execute()
    code = 'internal_error'
    await eventually(async () => {
      await getMe().expect(200)
      expect((await account()).status).toBe('expired')
    })
  })

  it('renews a token once and repeats the request, also in the test of an account', async () => {
    grants = { 'refresh-one-0123456789': { access_token: 'bot-two-0123456789', refresh_token: 'refresh-two-0123456789' } }
    good.add('bot-two-0123456789')
    code = 'token_expired'
    for (const use of ['call', 'test']) {
      server.received.length = 0
      const tokens = { access_token: 'bot-one-0123456789', refresh_token: 'refresh-one-0123456789' }
      const { id, user, account } = await onward.userWith('chat', tokens)
      if (use === 'call') {
        expect((await user.call('chat-add-note', { text: 'x' }).expect(200)).body).toMatchObject({
          network_code: 200,
          output: { ok: true },
        })
        expect(urls()).toEqual(['/notes', '/token', '/notes'])
      } else {
        expect((await test(id)).body).toMatchObject({ ok: true, name: 'Ada' })
        expect(urls()).toEqual(['/me', '/token', '/me'])
      }
      expect(await account()).toMatchObject({ status: 'active', last_error: null })
    }
  })

  it('asks the user to connect again when the token cannot be renewed', async () => {
    const { getMe, account } = await onward.userWith('chat', {
      access_token: 'bot-one-0123456789',
      refresh_token: 'refresh-gone-0123456789',
    })
    expect((await getMe().expect(200)).body.output).toEqual({ ok: false, error: 'token_revoked' })
    expect((await account()).status).toBe('reconnect_required')
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
  })
})

describe('an account with two tokens', () => {
  const both = {
    access_token: 'bot-one-0123456789',
    refresh_token: 'bot-refresh-0123456789',
    user_token: 'user-one-0123456789',
    user_token_refresh: 'user-refresh-0123456789',
  }
  const BOT = { 'bot-refresh-0123456789': { access_token: 'bot-two-0123456789', refresh_token: 'bot-refresh-2', expires_in: 43_200 } }
  const USER = { 'user-refresh-0123456789': { access_token: 'user-two-0123456789', refresh_token: 'user-refresh-2', expires_in: 43_200 } }

  it('renews each with its own refresh token, when it has expired or is refused', async () => {
    const ages: Record<string, string>[] = [{}, { expires_at: EXPIRED, user_token_expires_at: EXPIRED }]
    for (const age of ages) {
      grants = { ...BOT, ...USER }
      good = new Set(['bot-two-0123456789', 'user-two-0123456789'])
      code = 'token_expired'
      const { user, getMe, account } = await onward.userWith('chat', { ...both, ...age })
      expect((await user.call('chat-search').expect(200)).body.output).toMatchObject({ ok: true })
      expect((await getMe().expect(200)).body.output).toMatchObject({ ok: true })
      expect(server.received.filter(({ url }) => url === '/search').at(-1)?.headers.authorization).toBe('Bearer user-two-0123456789')
      expect(urls().filter((url) => url === '/token')).toHaveLength(2)
      expect((await account()).status).toBe('active')
      server.received.length = 0
    }
  })

  it('goes on with the one when the other cannot be renewed', async () => {
    grants = BOT
    good = new Set(['bot-two-0123456789'])
    const { user, getMe, account } = await onward.userWith('chat', { ...both, expires_at: EXPIRED, user_token_expires_at: EXPIRED })
    const { body } = await user.call('chat-search').expect(400)
    expect(body).toMatchObject({ code: 'account_reconnect_required', login_url: expect.stringMatching(/connect/) })
    expect(body.error_details[0]).toMatch(/account.user_token: is missing; Chat: user_token: invalid_refresh_token/)
    expect((await getMe().expect(200)).body.output).toMatchObject({ ok: true })
    expect((await account()).status).toBe('active')
  })

  it('goes on with the other while the access token cannot be renewed for now', async () => {
    tokenStatus = 503
    grants = USER
    good = new Set(['user-two-0123456789'])
    const { user, getMe, account } = await onward.userWith('chat', { ...both, expires_at: EXPIRED, user_token_expires_at: EXPIRED })
    expect((await user.call('chat-search').expect(200)).body.output).toMatchObject({ ok: true })
    expect((await account()).status).toBe('expired')
    expect((await getMe()).body.code).toBe('token_renewal_failed')
    expect((await user.call('chat-search').expect(200)).body.output).toMatchObject({ ok: true })
  })

  it('loses only the token that is revoked and has no refresh token', async () => {
    good = new Set(['bot-one-0123456789'])
    const { user, getMe, account } = await onward.userWith('chat', {
      access_token: 'bot-one-0123456789',
      user_token: 'user-one-0123456789',
    })
    expect((await user.call('chat-search').expect(200)).body.output).toMatchObject({ error: 'token_revoked' })
    expect((await user.call('chat-search').expect(400)).body.code).toBe('account_reconnect_required')
    expect((await getMe().expect(200)).body.output).toMatchObject({ ok: true })
    expect((await account()).status).toBe('active')
  })
})

import { sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { openProvider, type Provider } from './oauth-provider.ts'
import { appFile, inSeconds, type OAuthFunctions, openWithApps } from './oauth-support.ts'

let provider: Provider
let onward: OAuthFunctions

beforeAll(async () => {
  provider = await openProvider()
  const { url } = provider
  onward = await openWithApps([appFile('oak', url, { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` })], {
    CALL_TIMEOUT_MS: '2000',
  })
  await onward.setClient('oak', 'oak-client', 'oak-secret-0123456789').expect(200)
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.received.length = 0
  provider.done().length = 0
  provider.onToken = null
  provider.onCall = null
})

const expired = { expires_at: inSeconds(-10) }

/** A user with an account whose tokens the provider has just given. */
const oakUser = (more: Readonly<Record<string, string>> = {}) => onward.userWith('oak', { ...provider.grant(), ...more })

describe('a call with an access token', () => {
  it('that is good for long is made at once', async () => {
    const { getMe } = await oakUser({ expires_at: inSeconds(120) })
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(provider.received.map(({ url }) => url)).toEqual(['/me'])
  })

  it.each([
    ['has expired', -1],
    ['expires within a minute', 55],
  ])('that %s is made with a new one', async (_name, seconds) => {
    const { getMe, id } = await oakUser({ expires_at: inSeconds(seconds) })
    const old = await onward.version(id)
    expect((await getMe().expect(200)).body).toMatchObject({ network_code: 200, output: { name: 'Ada' } })
    await getMe().expect(200)
    expect(provider.received.map(({ url }) => url)).toEqual(['/token', '/me', '/me'])
    expect(BigInt(await onward.version(id))).toBe(BigInt(old) + 1n)
  })

  it('that is renewed again and again uses the refresh token of the last time', async () => {
    const { getMe, id } = await oakUser(expired)
    for (let i = 0; i < 3; i++) {
      expect((await getMe().expect(200)).body.network_code).toBe(200)
      await onward.db.updateTable('connected_account').set({ renewed_at: null }).where('id', '=', String(id)).execute()
      provider.refuseToken()
    }
    expect(provider.tokenRequests()).toBe(3)
    expect(provider.done()).toHaveLength(3)
  })

  it('that is refused is renewed once, and the call is made again: one task, one log row', async () => {
    const { user } = await oakUser()
    provider.refuseToken()
    const before = await onward.rows()
    const { body, headers } = await user.call('oak-add-note', { text: 'x' }).expect(200)
    expect(body.network_code).toBe(200)
    expect(provider.received.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /notes', 'POST /token', 'POST /notes'])
    expect(provider.done()).toEqual(['POST /notes'])
    const after = await onward.rows()
    expect([after.call_log - before.call_log, after.call_attempt]).toEqual([1, 0])
    expect(await onward.counted(headers['x-call-id'] ?? '')).toBe(true)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from outbox, jsonb_array_elements(events) e where e ->> 'id' = ${headers['x-call-id']}`.execute(onward.db)
    expect(rows).toEqual([{ n: 1 }])
  })

  it('that is refused even when new passes the second 401 on, and does not renew at every call', async () => {
    const { getMe, account } = await oakUser()
    provider.refuseToken()
    provider.onCall = (_received, response) => sendJson(response, 401, { message: 'not for you' })
    for (let i = 0; i < 3; i++) expect((await getMe().expect(200)).body).toMatchObject({ network_code: 401 })
    expect(provider.tokenRequests()).toBe(1)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('shows neither the old nor the new token, whoever echoes them', async () => {
    const tokens = provider.grant()
    const { user } = await onward.userWith('oak', tokens)
    provider.refuseToken()
    const seen: (string | undefined)[] = []
    provider.onCall = ({ body, headers }, response) => {
      seen.push(headers.authorization)
      sendJson(response, 200, { body: JSON.parse(body), seen: headers.authorization })
    }
    const text = `${tokens.access_token} and ${tokens.refresh_token}`
    const { body, headers } = await user.call('oak-add-note', { text }).expect(200)
    expect(seen).toEqual([expect.stringMatching(/^Bearer access-token-\d+-0123456789$/)])
    expect(seen).not.toContain(`Bearer ${tokens.access_token}`)
    const clean = { body: { text: '[redacted] and [redacted]' }, seen: 'Bearer [redacted]' }
    expect(body.output).toEqual(clean)
    const logged = await user.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    expect(logged.body).toMatchObject({ output: clean, arguments: { text: '[redacted] and [redacted]' } })
  })
})

describe('a token that can not be renewed', () => {
  it.each([
    ['invalid_grant', 400, 'Oak: invalid_grant: it was revoked'],
    ['bad_refresh_token', 200, 'Oak: bad_refresh_token: it was revoked'],
  ])('because of %s must be connected again', async (error, status, last_error) => {
    const { getMe, account } = await oakUser(expired)
    provider.onToken = (_received, response) => sendJson(response, status, { error, error_description: 'it was revoked' })
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
    expect(await account()).toMatchObject({ status: 'reconnect_required', last_error })
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
    expect(provider.tokenRequests()).toBe(1)
    expect(provider.done()).toEqual([])
  })

  it('for now refuses the call, and nothing is logged or counted; later it is renewed and active again', async () => {
    const { user, getMe, account } = await oakUser(expired)
    provider.onToken = (_received, response) => sendJson(response, 503, {})
    const before = await onward.rows()
    const { body, headers } = await getMe().expect(502)
    expect(body).toEqual({
      error: 'the access token for Oak could not be renewed, so nothing was called: Oak: its OAuth server answered 503',
      error_details: [],
      code: 'token_renewal_failed',
    })
    expect(headers).not.toHaveProperty('x-call-id')
    expect(await onward.rows()).toEqual(before)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak: its OAuth server answered 503' })
    // The user sees it too.
    const app = await user.post('/apps/oak/get').expect(200)
    expect(app.body.connected_accounts).toEqual([
      expect.objectContaining({ status: 'expired', last_error: 'Oak: its OAuth server answered 503' }),
    ])

    // A server that is down is not asked by every call.
    await Promise.all(Array.from({ length: 10 }, () => getMe().expect(502)))
    expect(provider.tokenRequests()).toBe(1)

    provider.onToken = null
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await getMe().expect(200)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('yet has not expired is used', async () => {
    const { getMe, account } = await oakUser({ expires_at: inSeconds(30) })
    const connected = await account()
    provider.onToken = (_received, _response, request) => void request.socket.destroy()
    for (let i = 0; i < 3; i++) expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(provider.tokenRequests()).toBe(1)
    // Nothing of it shows, not even for a moment.
    expect(connected).toMatchObject({ status: 'active', last_error: null })
    expect(await account()).toEqual(connected)
  })

  it('and is refused passes the 401 on', async () => {
    const { getMe, account } = await oakUser()
    provider.refuseToken()
    provider.onToken = (_received, response) => sendJson(response, 500, {})
    expect((await getMe().expect(200)).body.network_code).toBe(401)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak: its OAuth server answered 500' })
  })

  it('by the deadline of the call refuses it; who comes later gets the token', async () => {
    const { getMe } = await oakUser(expired)
    let answer: () => void = () => {}
    provider.onToken = (_received, response) => {
      answer = () => sendJson(response, 200, { ...provider.grant(), expires_in: 3_600 })
    }
    const startedAt = Date.now()
    expect((await getMe().expect(502)).body.code).toBe('token_renewal_failed')
    expect(Date.now() - startedAt).toBeGreaterThan(1_900)
    const later = getMe()
    const called = later.expect(200)
    setTimeout(() => answer(), 200)
    expect((await called).body.network_code).toBe(200)
    expect(provider.tokenRequests()).toBe(1)
  })

  it('without the OAuth client of the application says so', async () => {
    const { getMe, account } = await oakUser(expired)
    await onward.admin('delete', '/admin/applications/app-1/oauth-clients/oak').expect(200)
    expect((await getMe().expect(502)).body.error).toMatch(/Oak: the application has no OAuth client for it$/)
    expect((await account()).status).toBe('expired')
    await onward.setClient('oak', 'oak-client', 'oak-secret-0123456789').expect(200)
  })

  it('without a refresh token is used until it is refused; then it must be connected again', async () => {
    const { access_token } = provider.grant()
    const { getMe, account } = await onward.userWith('oak', { access_token, ...expired })
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    provider.refuseToken()
    expect((await getMe().expect(200)).body.network_code).toBe(401)
    expect(await account()).toMatchObject({ status: 'reconnect_required', last_error: 'Oak answered 401: no good: Bearer [redacted]' })
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
    expect(provider.tokenRequests()).toBe(0)
  })
})

describe('one renewal for all', () => {
  it('who call at the same time', async () => {
    const { getMe } = await oakUser(expired)
    const answers = await Promise.all(Array.from({ length: 50 }, () => getMe()))
    expect(answers.map(({ body }) => body.network_code)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(provider.tokenRequests()).toBe(1)
  })

  it('who are refused at the same time', async () => {
    const { getMe } = await oakUser()
    provider.refuseToken()
    const answers = await Promise.all(Array.from({ length: 50 }, () => getMe()))
    expect(answers.map(({ body }) => body.network_code)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(provider.tokenRequests()).toBe(1)
  })

  it('who come while another process has the lease wait for what it gets', async () => {
    const { getMe, id } = await oakUser(expired)
    const row = onward.db.updateTable('connected_account').where('id', '=', String(id))
    await row.set({ renew_leased_until: sql<Date>`now() + interval '30 seconds'` }).execute()
    let told: string | undefined
    const called = getMe().then(({ body }) => {
      told = body.error
    })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect([provider.received, told]).toEqual([[], undefined])
    await row.set({ version: sql<string>`version + 1`, renew_leased_until: null, last_error: 'what the other one was told' }).execute()
    await called
    expect(told).toMatch(/: what the other one was told$/)
    expect(provider.tokenRequests()).toBe(0)
  })

  it('who come after a process that died with the lease: another takes it when it runs out', async () => {
    const { getMe, id } = await oakUser(expired)
    const row = onward.db.updateTable('connected_account').where('id', '=', String(id))
    await row.set({ renew_leased_until: sql<Date>`now() + interval '1 second'` }).execute()
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(provider.tokenRequests()).toBe(1)
  })

  it('is not lost when Postgres does not take the new token at once', async () => {
    const { getMe } = await oakUser(expired)
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`.execute(onward.db)
    await sql`create trigger refusing before update of sealed_credentials on connected_account execute function refuse()`.execute(onward.db)
    const called = getMe()
    setTimeout(() => void sql`drop trigger refusing on connected_account`.execute(onward.db), 600)
    expect((await called.expect(200)).body.network_code).toBe(200)
    expect(provider.tokenRequests()).toBe(1)
    await onward.db.updateTable('connected_account').set({ renewed_at: null }).execute()
    provider.refuseToken()
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(provider.tokenRequests()).toBe(2)
  })
})

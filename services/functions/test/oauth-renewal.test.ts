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
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak answered 401: not for you' })
    await onward.db
      .updateTable('connected_account')
      .set({ renewed_at: new Date(Date.now() - 60_000) })
      .execute()
    await getMe().expect(200)
    expect(provider.tokenRequests()).toBe(1)
    provider.onCall = (_received, response) => sendJson(response, 200, {})
    await getMe().expect(200)
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

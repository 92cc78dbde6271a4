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

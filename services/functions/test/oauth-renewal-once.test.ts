import { sql } from 'kysely'
import { EXPIRED, useOak } from './use-oak.ts'

const oak = useOak()
const { oakUser } = oak

describe('one renewal for all', () => {
  it('who call at the same time', async () => {
    const { getMe } = await oakUser(EXPIRED)
    const answers = await Promise.all(Array.from({ length: 50 }, () => getMe()))
    expect(answers.map(({ body }) => body.network_code)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('who are refused at the same time', async () => {
    const { getMe } = await oakUser()
    oak.provider.refuseToken()
    const answers = await Promise.all(Array.from({ length: 50 }, () => getMe()))
    expect(answers.map(({ body }) => body.network_code)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('who come while another process has the lease wait for what it gets', async () => {
    const { getMe, id } = await oakUser(EXPIRED)
    const row = oak.onward.db.updateTable('connected_account').where('id', '=', String(id))
    await row.set({ renew_leased_until: sql<Date>`now() + interval '30 seconds'` }).execute()
    let told: string | undefined
    const called = getMe().then(({ body }) => {
      told = body.error
    })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect([oak.provider.received, told]).toEqual([[], undefined])
    await row.set({ version: sql<string>`version + 1`, renew_leased_until: null, last_error: 'what the other one was told' }).execute()
    await called
    expect(told).toMatch(/: what the other one was told$/)
    expect(oak.provider.tokenRequests()).toBe(0)
  })

  it('who come after a process that died with the lease: another takes it when it runs out', async () => {
    const { getMe, id } = await oakUser(EXPIRED)
    const row = oak.onward.db.updateTable('connected_account').where('id', '=', String(id))
    await row.set({ renew_leased_until: sql<Date>`now() + interval '1 second'` }).execute()
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('is not lost when Postgres does not take the new token at once', async () => {
    const { getMe } = await oakUser(EXPIRED)
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`.execute(
      oak.onward.db,
    )
    await sql`create trigger refusing before update of sealed_credentials on connected_account execute function refuse()`.execute(
      oak.onward.db,
    )
    const called = getMe()
    setTimeout(() => void sql`drop trigger refusing on connected_account`.execute(oak.onward.db), 600)
    expect((await called.expect(200)).body.network_code).toBe(200)
    expect(oak.provider.tokenRequests()).toBe(1)
    await oak.onward.db.updateTable('connected_account').set({ renewed_at: null }).execute()
    oak.provider.refuseToken()
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(oak.provider.tokenRequests()).toBe(2)
  })
})

import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { EXPIRED, useOak } from '../support/oauth-provider.ts'

describe('a call with an expired token gets 503', () => {
  const oak = useOak({ CALL_TIMEOUT_MS: '2000' })
  const UNAVAILABLE = {
    code: 'unavailable',
    error: 'the access token for Oak was not renewed in time, so nothing was called; try again',
  }
  const account = (id: number) => oak.onward.db.updateTable('connected_account').where('id', '=', String(id))

  it('while the renewal cannot take its lease', async () => {
    const { getMe, id } = await oak.oakUser(EXPIRED)
    await oak.onward.db.transaction().execute(async (tx) => {
      await sql`select from connected_account where id = ${id} for update`.execute(tx)
      expect((await getMe().expect(503)).body).toMatchObject(UNAVAILABLE)
    })
    expect(oak.provider.received).toEqual([])
    await eventually(() => getMe().expect(200))
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('while another process holds the lease', async () => {
    const { getMe, id } = await oak.oakUser(EXPIRED)
    // An earlier failure of the provider is not the reason.
    await account(id)
      .set({ renew_leased_until: sql<Date>`now() + interval '30 seconds'`, last_error: 'Oak: the OAuth server answered 503' })
      .execute()
    expect((await getMe().expect(503)).body).toMatchObject(UNAVAILABLE)
    expect(oak.provider.received).toEqual([])
  })

  it('while the new token cannot be stored', async () => {
    const { getMe, id } = await oak.oakUser(EXPIRED)
    await oak.onward.db.transaction().execute(async (tx) => {
      oak.provider.onToken = async (_received, response) => {
        await sql`select from connected_account where id = ${id} for update`.execute(tx)
        sendJson(response, 200, { ...oak.provider.grant(), token_type: 'bearer', expires_in: 3_600 })
      }
      expect((await getMe().expect(503)).body).toMatchObject(UNAVAILABLE)
    })
    await eventually(() => getMe().expect(200))
    expect(oak.provider.tokenRequests()).toBe(1)
  })
})

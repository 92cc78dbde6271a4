import { eventually, type Link, openLink, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { EXPIRED, useOak } from '../support/oauth-provider.ts'

const LEASE = 'set renew_leased_until = now() +'
const STORE_TOKEN = 'sealed_credentials = $1, renewed_at'
const STORE_FAILURE = 'version = version + 1, renew_leased_until = $1'

describe('a token renewal', () => {
  let link: Link
  const oak = useOak({}, async (databaseUrl) => {
    link = await openLink(databaseUrl)
    return link
  })

  /** Resets the next connection that sends this text, before Postgres gets the text or before its response arrives. */
  async function cutAt(text: string, what: 'request' | 'response'): Promise<void> {
    const hold = link.hold([text], what)
    await hold.held
    hold.end('cut')
  }

  it.each([
    ['the acknowledgement of its lease is lost', LEASE, 'response'],
    ['its lease does not arrive', LEASE, 'request'],
    ['the acknowledgement of its stored token is lost', STORE_TOKEN, 'response'],
    ['its token cannot be stored at first', STORE_TOKEN, 'request'],
  ] as const)('sends one token request when %s', async (_what, statement, what) => {
    const { getMe, account } = await oak.oakUser(EXPIRED)
    const broken = cutAt(statement, what)
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    await broken
    expect(oak.provider.tokenRequests()).toBe(1)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it.each([
    // The lost lease may belong to another process, whose renewal has not finished.
    ['lease', LEASE, 503, 'unavailable'],
    ['stored failure', STORE_FAILURE, 502, 'token_renewal_failed'],
  ])('that the provider refuses leaves no lease when the acknowledgement of its %s is lost', async (_what, statement, status, code) => {
    const { getMe, account } = await oak.oakUser(EXPIRED)
    oak.provider.onToken = (_received, response) => sendJson(response, 503, {})
    const lost = cutAt(statement, 'response')
    expect((await getMe().expect(status)).body.code).toBe(code)
    await lost
    expect((await account()).status).toBe('expired')
    oak.provider.onToken = null
    await eventually(() => getMe().expect(200))
    expect(oak.provider.tokenRequests()).toBe(2)
  })

  it('answers 503 when the new token expired before it was stored', async () => {
    const { id, getMe } = await oak.oakUser(EXPIRED)
    const answer = await oak.onward.db.transaction().execute(async (tx) => {
      let endsAt = Number.POSITIVE_INFINITY
      oak.provider.onToken = async (_received, response) => {
        await sql`select from connected_account where id = ${id} for update`.execute(tx)
        endsAt = Date.now() + 1_000
        sendJson(response, 200, { ...oak.provider.grant(), token_type: 'bearer', expires_in: 1 })
      }
      const called = getMe().then((response) => response)
      await eventually(() => expect(Date.now()).toBeGreaterThan(endsAt))
      return { called }
    })
    const { status, body } = await answer.called
    expect([status, body.code]).toEqual([503, 'unavailable'])
    oak.provider.onToken = null
    await eventually(() => getMe().expect(200))
  })

  it('does not require to connect again when a lease with a lost acknowledgement may have replaced the lease of a suspended process', async () => {
    const { id, getMe, account } = await oak.oakUser(EXPIRED)
    const row = oak.onward.db.updateTable('connected_account').where('id', '=', String(id))
    await row.set({ renew_leased_until: sql<Date>`now() - interval '1 second'` }).execute()
    oak.provider.onToken = (_received, response) => sendJson(response, 400, { error: 'invalid_grant' })
    const lost = cutAt(LEASE, 'response')
    expect((await getMe().expect(503)).body.code).toBe('unavailable')
    await lost
    expect((await account()).status).toBe('expired')
  })
})

import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { EXPIRED, useOak } from '../support/oauth-provider.ts'
import { inSeconds } from '../support/oauth-support.ts'

const oak = useOak()
const { oakUser } = oak

describe('a call with an access token', () => {
  it('is made at once when the token is valid for two minutes', async () => {
    const { getMe } = await oakUser({ expires_at: inSeconds(120) })
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(oak.provider.received.map(({ url }) => url)).toEqual(['/me'])
  })

  it.each([
    ['has expired', -1],
    ['expires within a minute', 55],
  ])('is made with a new token when the old one %s', async (_name, seconds) => {
    const { getMe, id } = await oakUser({ expires_at: inSeconds(seconds) })
    const old = await oak.onward.version(id)
    expect((await getMe().expect(200)).body).toMatchObject({ network_code: 200, output: { name: 'Ada' } })
    await getMe().expect(200)
    expect(oak.provider.received.map(({ url }) => url)).toEqual(['/token', '/me', '/me'])
    expect(BigInt(await oak.onward.version(id))).toBe(BigInt(old) + 1n)
  })

  it('uses the latest refresh token at each renewal', async () => {
    const { getMe, id } = await oakUser(EXPIRED)
    for (let i = 0; i < 3; i++) {
      // The process learns by a notification that the last renewal was long ago.
      await eventually(async () => expect((await getMe().expect(200)).body.network_code).toBe(200))
      await oak.onward.db.updateTable('connected_account').set({ renewed_at: null }).where('id', '=', String(id)).execute()
      oak.provider.refuseToken()
    }
    expect(oak.provider.tokenRequests()).toBe(3)
    expect(oak.provider.done()).toHaveLength(3)
  })

  it('renews a refused token once and repeats the request, as one task and one log row', async () => {
    const { user } = await oakUser()
    oak.provider.refuseToken()
    const before = await oak.onward.rows()
    const { body, headers } = await user.call('oak-add-note', { text: 'x' }).expect(200)
    expect(body.network_code).toBe(200)
    expect(oak.provider.received.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /notes', 'POST /token', 'POST /notes'])
    expect(oak.provider.done()).toEqual(['POST /notes'])
    const after = await oak.onward.rows()
    expect([after.call_log - before.call_log, after.call_attempt]).toEqual([1, 0])
    expect(await oak.onward.counted(headers['x-call-id'] ?? '')).toBe(true)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from outbox, jsonb_array_elements(events) e where e ->> 'id' = ${headers['x-call-id']}`.execute(
      oak.onward.db,
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  it('is sent again with the approval that it has used', async () => {
    const { user } = await oakUser()
    const putRules = (...rules: object[]) => oak.onward.admin('put', '/admin/applications/app-1/policy', { rules }).expect(200)
    await putRules({ functions: ['oak-add-note'], result: 'ask' })
    const call = () => user.call('oak-add-note', { text: 'x' })
    const { approval_id: id } = (await call().expect(403)).body
    await user.post(`/approvals/${id}/decide`, { result: 'approved' }).expect(200)
    oak.provider.refuseToken()
    const { body, headers } = await call().expect(200)
    expect([body.network_code, oak.provider.done()]).toEqual([200, ['POST /notes']])
    expect(oak.provider.received.map(({ url }) => url)).toEqual(['/notes', '/token', '/notes'])
    expect((await user.post('/approvals/list').expect(200)).body.approvals).toMatchObject([
      { id, state: 'used', call_id: headers['x-call-id'] },
    ])
    expect((await call().expect(403)).body.code).toBe('approval_required')
    await putRules()
  })

  it('renews a refused token that a process with a clock 40 days ahead has stored', async () => {
    const { getMe, id } = await oakUser({ expires_at: inSeconds(40 * 86_400 + 60) })
    const renewedAt = { renewed_at: new Date(Date.now() + 40 * 86_400_000) }
    await oak.onward.db.updateTable('connected_account').set(renewedAt).where('id', '=', String(id)).execute()
    oak.provider.refuseToken()
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(oak.provider.received.map(({ url }) => url)).toEqual(['/me', '/token', '/me'])
  })

  it('passes on the 401 of a new token, and does not renew at every call', async () => {
    const { getMe, account } = await oakUser()
    oak.provider.refuseToken()
    oak.provider.onCall = (_received, response) => sendJson(response, 401, { message: 'not allowed' })
    for (let i = 0; i < 3; i++) expect((await getMe().expect(200)).body).toMatchObject({ network_code: 401 })
    expect(oak.provider.tokenRequests()).toBe(1)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak answered 401: not allowed' })
    const renewed = (ago: number) =>
      oak.onward.db
        .updateTable('connected_account')
        .set({ renewed_at: new Date(Date.now() - ago) })
        .execute()
    await renewed(20_000)
    await getMe().expect(200)
    expect(oak.provider.tokenRequests()).toBe(1)
    await renewed(31_000)
    await eventually(async () => {
      await getMe().expect(200)
      expect(oak.provider.tokenRequests()).toBe(2)
    })
    oak.provider.onCall = (_received, response) => sendJson(response, 200, {})
    await getMe().expect(200)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('shows neither the old nor the new token when they are echoed', async () => {
    const tokens = oak.provider.grant()
    const { user } = await oak.onward.userWith('oak', tokens)
    oak.provider.refuseToken()
    const seen: (string | undefined)[] = []
    oak.provider.onCall = ({ body, headers }, response) => {
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

/** Resolves when the service has asked for the lease of a renewal this many times. It asks again as long as the lease is taken. */
async function leaseRequests(times: number): Promise<void> {
  const seen = new Set<string>()
  await eventually(async () => {
    const { rows } = await sql<{ query_start: Date; pid: number }>`
      select query_start, pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%renew_leased_until = now() +%'`.execute(oak.onward.db)
    for (const { query_start, pid } of rows) seen.add(`${pid} ${+query_start}`)
    expect(seen.size).toBeGreaterThanOrEqual(times)
  })
}

describe('a token renewal', () => {
  it('happens once when 50 calls with an expired token arrive together', async () => {
    const { getMe } = await oakUser(EXPIRED)
    const answers = await Promise.all(Array.from({ length: 50 }, () => getMe()))
    expect(answers.map(({ body }) => body.network_code)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('happens once when 50 calls are refused together', async () => {
    const { getMe } = await oakUser()
    oak.provider.refuseToken()
    const answers = await Promise.all(Array.from({ length: 50 }, () => getMe()))
    expect(answers.map(({ body }) => body.network_code)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('waits for the result of another process that holds the lease', async () => {
    const { getMe, id } = await oakUser(EXPIRED)
    const row = oak.onward.db.updateTable('connected_account').where('id', '=', String(id))
    await row.set({ renew_leased_until: sql<Date>`now() + interval '30 seconds'` }).execute()
    const called = getMe().then(({ body }) => body.error)
    await leaseRequests(3)
    expect(oak.provider.received).toEqual([])
    await row.set({ version: sql<string>`version + 1`, renew_leased_until: null, last_error: 'the error of the other process' }).execute()
    expect(await called).toMatch(/: the error of the other process$/)
    expect(oak.provider.tokenRequests()).toBe(0)
  })

  it('takes over the lease of a dead process when it expires', async () => {
    const { getMe, id } = await oakUser(EXPIRED)
    const row = oak.onward.db.updateTable('connected_account').where('id', '=', String(id))
    await row.set({ renew_leased_until: sql<Date>`now() + interval '1 second'` }).execute()
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('keeps the new token when Postgres refuses to store it at first', async () => {
    const { getMe } = await oakUser(EXPIRED)
    const { db } = oak.onward
    // A rollback does not reset a sequence, so it counts the refusals.
    await sql`create sequence refusals`.execute(db)
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin perform nextval('refusals'); raise exception 'not now'; end $$`.execute(db)
    await sql`create trigger refusing before update of sealed_credentials on connected_account execute function refuse()`.execute(db)
    const called = getMe().then(({ body }) => body)
    await eventually(async () => {
      const { rows } = await sql<{ refused: number }>`select last_value::int as refused from refusals`.execute(db)
      expect(rows[0]?.refused).toBeGreaterThanOrEqual(2)
    })
    await sql`drop trigger refusing on connected_account`.execute(db)
    expect(await called).toMatchObject({ network_code: 200 })
    expect(oak.provider.tokenRequests()).toBe(1)
    await oak.onward.db.updateTable('connected_account').set({ renewed_at: null }).execute()
    oak.provider.refuseToken()
    await eventually(async () => expect((await getMe().expect(200)).body.network_code).toBe(200))
    expect(oak.provider.tokenRequests()).toBe(2)
  })
})

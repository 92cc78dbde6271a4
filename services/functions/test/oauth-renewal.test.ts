import { sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { inSeconds } from './oauth-support.ts'
import { EXPIRED, useOak } from './use-oak.ts'

const oak = useOak()
const { oakUser } = oak

describe('a call with an access token', () => {
  it('that is good for long is made at once', async () => {
    const { getMe } = await oakUser({ expires_at: inSeconds(120) })
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    expect(oak.provider.received.map(({ url }) => url)).toEqual(['/me'])
  })

  it.each([
    ['has expired', -1],
    ['expires within a minute', 55],
  ])('that %s is made with a new one', async (_name, seconds) => {
    const { getMe, id } = await oakUser({ expires_at: inSeconds(seconds) })
    const old = await oak.onward.version(id)
    expect((await getMe().expect(200)).body).toMatchObject({ network_code: 200, output: { name: 'Ada' } })
    await getMe().expect(200)
    expect(oak.provider.received.map(({ url }) => url)).toEqual(['/token', '/me', '/me'])
    expect(BigInt(await oak.onward.version(id))).toBe(BigInt(old) + 1n)
  })

  it('that is renewed again and again uses the refresh token of the last time', async () => {
    const { getMe, id } = await oakUser(EXPIRED)
    for (let i = 0; i < 3; i++) {
      expect((await getMe().expect(200)).body.network_code).toBe(200)
      await oak.onward.db.updateTable('connected_account').set({ renewed_at: null }).where('id', '=', String(id)).execute()
      oak.provider.refuseToken()
    }
    expect(oak.provider.tokenRequests()).toBe(3)
    expect(oak.provider.done()).toHaveLength(3)
  })

  it('that is refused is renewed once, and the call is made again: one task, one log row', async () => {
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

  it('that is refused even when new passes the second 401 on, and does not renew at every call', async () => {
    const { getMe, account } = await oakUser()
    oak.provider.refuseToken()
    oak.provider.onCall = (_received, response) => sendJson(response, 401, { message: 'not for you' })
    for (let i = 0; i < 3; i++) expect((await getMe().expect(200)).body).toMatchObject({ network_code: 401 })
    expect(oak.provider.tokenRequests()).toBe(1)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak answered 401: not for you' })
    await oak.onward.db
      .updateTable('connected_account')
      .set({ renewed_at: new Date(Date.now() - 60_000) })
      .execute()
    await getMe().expect(200)
    expect(oak.provider.tokenRequests()).toBe(1)
    oak.provider.onCall = (_received, response) => sendJson(response, 200, {})
    await getMe().expect(200)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('shows neither the old nor the new token, whoever echoes them', async () => {
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

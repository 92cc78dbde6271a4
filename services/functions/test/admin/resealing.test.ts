import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { EXPIRED, useOak } from '../support/oauth-provider.ts'
import { startWithNewKey } from '../support/resealing.ts'
import { hashOf } from '../support/support.ts'

const oak = useOak()
let both: Awaited<ReturnType<typeof startWithNewKey>>
let alone: typeof both

beforeAll(async () => {
  both = await startWithNewKey(oak.onward, 'and the old key')
  alone = await startWithNewKey(oak.onward, 'alone')
})

/** Reseals until nothing is left, and returns how many values were changed. */
async function resealAll(): Promise<number> {
  const { status, body } = await both.reseal()
  expect([status, body.complete]).toEqual([200, true])
  return Number(body.resealed)
}

describe('POST /admin/secrets/reseal', () => {
  it('makes the old sealing key unnecessary, for accounts, OAuth clients and both secrets of an application', async () => {
    const { user } = await oak.oakUser(EXPIRED)
    const { appKey, secret } = await oak.onward.makeApplication('resealed')
    const { body } = await oak.onward.admin('post', `/admin/applications/${appKey}/rotate-secret`, {}).expect(200)
    expect((await alone.call('oak-get-me', user.headers)).status).toBe(500)
    const parts = { postgres: 'up', sealing_keys: 'up', queue: 'up' }
    expect(await both.ready()).toEqual({ status: 200, body: { status: 'ok', parts } })
    const unavailable = { status: 503, body: { status: 'unavailable', parts: { ...parts, sealing_keys: 'down' } } }
    // The keys are looked for in the background.
    await eventually(async () => expect(await alone.ready()).toEqual(unavailable))

    // The suite's application with its secret, the new application with two, the OAuth client and the account.
    expect(await resealAll()).toBe(5)
    expect(await resealAll()).toBe(0)
    await eventually(async () => expect(await alone.ready()).toMatchObject({ status: 200, body: { status: 'ok' } }))

    expect(await alone.call('oak-get-me', user.headers)).toMatchObject({ status: 200, body: { network_code: 200 } })
    expect(oak.provider.tokenRequests()).toBe(1)
    for (const each of [secret, body.app_secret]) {
      const headers = { 'App-Key': appKey, 'User-ID': 'joe', Hash: hashOf(each, 'joe') }
      expect((await alone.call('oak-get-me', headers)).body.code).toBe('account_not_connected')
    }
  })

  it('does not keep a renewal that is in flight from storing its token', async () => {
    const { user } = await oak.oakUser(EXPIRED)
    let respond: () => void = () => {}
    oak.provider.onToken = (_received, response) => {
      respond = () => sendJson(response, 200, { ...oak.provider.grant(), token_type: 'bearer', expires_in: 3_600 })
    }
    const called = both.call('oak-get-me', user.headers)
    await eventually(() => expect(oak.provider.tokenRequests()).toBe(1))
    expect(await resealAll()).toBeGreaterThan(0)
    respond()
    expect(await called).toMatchObject({ status: 200, body: { network_code: 200 } })
    oak.provider.onToken = null
    // The token that was stored is used: its refresh token would be refused a second time.
    expect(await both.call('oak-get-me', user.headers)).toMatchObject({ status: 200, body: { network_code: 200 } })
    expect(oak.provider.tokenRequests()).toBe(1)
  })

  it('is not down because of one secret that is broken', async () => {
    const { id } = await oak.oakUser({})
    const last = sql`length(sealed_credentials) - 1`
    const broken = sql<Buffer>`set_byte(sealed_credentials, ${last}, 255 - get_byte(sealed_credentials, ${last}))`
    await oak.onward.db.updateTable('connected_account').set({ sealed_credentials: broken }).where('id', '=', String(id)).execute()
    const started = await startWithNewKey(oak.onward, 'and the old key')
    expect(await started.ready()).toMatchObject({ status: 200, body: { status: 'ok' } })
    await oak.onward.db.deleteFrom('connected_account').where('id', '=', String(id)).execute()
  })

  it('does not change a value that changes at the same time', async () => {
    const { user, id } = await oak.oakUser({})
    await oak.onward.db.updateTable('connected_account').set({ display_name: 'moves the row' }).where('id', '=', String(id)).execute()
    await Promise.all([both.reseal(), both.reseal(), both.reseal()])
    expect(await both.call('oak-get-me', user.headers)).toMatchObject({ status: 200, body: { network_code: 200 } })
  })
})

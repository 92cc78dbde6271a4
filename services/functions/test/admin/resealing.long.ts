import { openSealer } from '@onward/runtime'
import { sql } from 'kysely'
import { accountRow } from '../../src/db/connected-accounts.ts'
import { startWithNewKey } from '../support/resealing.ts'
import { hashOf, SECRETS, useFunctions } from '../support/support.ts'

const ACCOUNTS = 100_000
const BATCH = 10_000
const CALLERS = 4

jest.setTimeout(600_000)

const onward = useFunctions()

/** Inserts an account for each of the users `user-1` to `user-100000`. */
async function insertAccounts(): Promise<void> {
  const sealer = openSealer(onward.config.sealingKeys)
  const credentials = JSON.stringify({ ...SECRETS.desk, url: onward.third.url })
  const { rows } = await sql<{ first: string }>`select coalesce(max(id), 0) + 1 as first from connected_account`.execute(onward.db)
  const first = Number(rows[0]?.first)
  for (let at = 0; at < ACCOUNTS; at += BATCH) {
    const ids = Array.from({ length: BATCH }, (_, n) => first + at + n)
    const sealed = ids.map((id) => sealer.seal(credentials, accountRow(id)))
    await sql`
      insert into connected_account (id, app_key, user_id, app, display_name, sealed_credentials)
      select id, ${onward.application.appKey}, 'user-' || (id - ${first} + 1), 'desk', 'Ada', sealed
      from unnest(${ids}::bigint[], ${sealed}::bytea[]) as account (id, sealed)`.execute(onward.db)
  }
}

function headersOf(user: number): Record<string, string> {
  const { appKey, secret } = onward.application
  return { 'App-Key': appKey, 'User-ID': `user-${user}`, Hash: hashOf(secret, `user-${user}`) }
}

describe(`sealing ${ACCOUNTS} accounts with another key`, () => {
  it('fails no call meanwhile, and none after the old key is removed', async () => {
    await insertAccounts()
    const both = await startWithNewKey(onward, 'and the old key')
    const statuses: Record<string, number> = {}
    const resealing = new AbortController()
    const caller = async (nth: number) => {
      for (let calls = 0; !resealing.signal.aborted; calls++) {
        const user = 1 + (((calls * CALLERS + nth) * 7_919) % ACCOUNTS)
        const { status, body } = await both.call('desk-list-labels', headersOf(user))
        const key = `${status} ${body.network_code ?? body.code}`
        statuses[key] = (statuses[key] ?? 0) + 1
      }
    }
    const callers = Array.from({ length: CALLERS }, (_, nth) => caller(nth))
    let resealed = 0
    for (let complete = false; !complete; ) {
      const { body } = await both.reseal()
      resealed += Number(body.resealed)
      complete = body.complete === true
    }
    resealing.abort()
    await Promise.all(callers)
    // The secret of the application is one more.
    expect(resealed).toBe(ACCOUNTS + 1)
    expect(Object.keys(statuses)).toEqual(['200 200'])

    const alone = await startWithNewKey(onward, 'alone')
    for (let user = 1; user <= ACCOUNTS; user += 997) {
      expect(await alone.call('desk-list-labels', headersOf(user))).toMatchObject({ status: 200, body: { network_code: 200 } })
    }
  })
})

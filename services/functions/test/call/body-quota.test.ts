import { openLog, uuidv7 } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { CHUNK_BYTES, DAY_BYTES, openBodyQuota } from '../../src/call/body-quota.ts'
import { deleteOldBodyQuotas } from '../../src/db/body-quotas.ts'
import { openFunctions, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const newQuota = () => openBodyQuota(onward.db, { bodiesNotStored: { inc: () => {} } }, openLog('test', 'silent'))

const day = (ago: number) => sql`(now() at time zone 'utc')::date - ${ago}::int`
async function reserve(appKey: string, bytes: number, ago = 0): Promise<void> {
  await sql`
    insert into body_quota (app_key, day, bytes) values (${appKey}, ${day(ago)}, ${bytes})
    on conflict (app_key, day) do update set bytes = excluded.bytes`.execute(onward.db)
}
async function quotas(appKey: string): Promise<number[]> {
  const { rows } = await sql<{ bytes: string }>`select bytes from body_quota where app_key = ${appKey} order by day`.execute(onward.db)
  return rows.map(({ bytes }) => Number(bytes))
}

describe('a call of an application that has used up the day', () => {
  it('is executed, logged and counted without its bodies, and the log says so', async () => {
    const { application } = onward
    const user = onward.user('joe')
    await user.connect('desk')
    await reserve(application.appKey, DAY_BYTES - CHUNK_BYTES)
    onward.third.respond((_received, response) => sendJson(response, 201, { text: 'x'.repeat(60_000) }))
    const call = () => user.call('desk-create-ticket', { subject: 'Printer' })
    const made = await Promise.all(Array.from({ length: 20 }, () => call().expect(200)))
    const ids = made.map(({ headers }) => String(headers['x-call-id']))
    const logged = await Promise.all(ids.map(async (id) => (await user.post(`/calls/${id}/get`).expect(200)).body))

    const kept = logged.filter(({ bodies }) => bodies === 'kept')
    expect(kept).toHaveLength(Math.floor(CHUNK_BYTES / 60_050))
    for (const each of kept) expect(each.output.text).toHaveLength(60_000)
    const left = logged.filter(({ bodies }) => bodies === 'over_quota')
    expect(left).toHaveLength(20 - kept.length)
    for (const each of left) {
      expect([each.outcome, each.network_code, 'arguments' in each, 'output' in each]).toEqual(['answered', 201, false, false])
      expect(await onward.counted(each.id)).toBe(true)
    }
    const { body } = await onward.admin('get', `/admin/calls/${left[0].id}`).expect(200)
    expect(body).toMatchObject({ bodies: 'over_quota', outcome: 'answered' })
    expect(body).not.toHaveProperty('arguments')
    const { text } = await onward.admin('get', '/metrics').expect(200)
    expect(text).toContain(`onward_functions_bodies_not_stored_total{service="functions"} ${left.length}`)
    expect(await quotas(application.appKey)).toEqual([DAY_BYTES])
  })
})

describe('the quota of bodies', () => {
  it('is never exceeded by several processes, and leaves no byte unused', async () => {
    const appKey = uuidv7()
    await reserve(appKey, DAY_BYTES - 3 * CHUNK_BYTES)
    const processes = Array.from({ length: 4 }, newQuota)
    const sixth = Math.floor(CHUNK_BYTES / 6)
    const taken = await Promise.all(processes.flatMap((quota) => Array.from({ length: 20 }, () => quota.take(appKey, sixth))))
    expect(taken.filter(Boolean)).toHaveLength(18)
    const other = uuidv7()
    expect(await processes[0]?.take(other, CHUNK_BYTES)).toBe(true)
    expect(await quotas(appKey)).toEqual([DAY_BYTES])
    expect(await quotas(other)).toEqual([CHUNK_BYTES])
  })

  it('needs one query for many calls', async () => {
    const appKey = uuidv7()
    const quota = newQuota()
    const taken = await Promise.all(Array.from({ length: 500 }, () => quota.take(appKey, 1_000)))
    expect(taken.every(Boolean)).toBe(true)
    expect(await quotas(appKey)).toEqual([CHUNK_BYTES])
  })

  it('starts again on the next day, and is deleted after two days', async () => {
    const appKey = uuidv7()
    for (const ago of [1, 2]) await reserve(appKey, DAY_BYTES, ago)
    expect(await newQuota().take(appKey, 1)).toBe(true)
    await deleteOldBodyQuotas(onward.db, 10)
    await eventually(async () => expect(await quotas(appKey)).toEqual([DAY_BYTES, CHUNK_BYTES]))
  })

  it('does not apply where no bodies are stored', async () => {
    const other = await openFunctions({ env: { CALL_BODIES: 'none' } })
    const user = other.user('joe')
    await user.connect('desk')
    await user.call('desk-create-ticket', { subject: 'Printer' }).expect(200)
    const { rows } = await sql`select from body_quota`.execute(other.db)
    expect(rows).toEqual([])
  })
})

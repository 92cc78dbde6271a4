import { firstUuidAt, type PartitionedTable, partitionAt, uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { openFunctions, type User, useFunctions } from '../support/support.ts'

const CALLS: PartitionedTable = { table: 'call_log', every: 'month' }
const DAY_MS = 86_400_000

const onward = useFunctions()
let joe: User
beforeAll(async () => {
  joe = onward.user('joe')
  await joe.connect('notes')
})

const run = async () => (await onward.admin('post', '/admin/retention/run', {}).expect(200)).body
const placeOf = async (id: string) =>
  (await sql<{ place: string }>`select tableoid::regclass::text as place from call_log where call_id = ${id}`.execute(onward.db)).rows[0]
    ?.place
const call = async () => (await joe.call('notes-read-notes').expect(200)).headers['x-call-id'] as string
const month = (n: number) => partitionAt(CALLS, new Date(), n)
const listed = async (body: object = {}) => (await joe.post('/calls/list', body).expect(200)).body

async function attach(n: number): Promise<void> {
  const { name, from, to } = month(n)
  await sql
    .raw(`create table ${name} partition of call_log for values from ('${firstUuidAt(from)}') to ('${firstUuidAt(to)}')`)
    .execute(onward.db)
}

async function log(at: Date): Promise<string> {
  const id = uuidv7(+at)
  await sql`
    insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
    values (${id}, 'app-1', 'joe', 'notes-read-notes', 'v', 'notes', 'answered', ${at})`.execute(onward.db)
  return id
}

describe('partitions of the calls log', () => {
  it('exist for this month and 12 months ahead when the service starts', async () => {
    expect(await placeOf(await call())).toBe(month(0).name)
    const { text } = await onward.admin('get', '/metrics').expect(200)
    expect(text).toMatch(/^onward_functions_partitions\{.*\} 13$/m)
    expect(Number(/^onward_functions_partition_ahead_seconds\{.*\} (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(364 * 86_400)
  })

  it('include a default partition, which holds and returns calls of any other month', async () => {
    const id = await log(new Date(+month(0).from - 1))
    expect(await placeOf(id)).toBe('call_log_default')
    expect((await joe.post(`/calls/${id}/get`).expect(200)).body.id).toBe(id)
  })

  it('are dropped when all of their calls are older than 90 days', async () => {
    for (const n of [-2, -5, -7]) await attach(n)
    await log(month(-5).from)
    // This call goes into the default partition. Month -2 can start 92 days ago, so take the earlier time.
    const old = await log(new Date(Math.min(Date.now() - 92 * DAY_MS, +month(-2).from - 1)))
    const young = await log(new Date(Date.now() - 89 * DAY_MS))
    expect(await placeOf(old)).toBe('call_log_default')
    expect(await run()).toEqual({
      made: [],
      dropped: [month(-7).name, month(-5).name],
      deleted: [
        { table: 'call_log_default', rows: 1 },
        { table: 'call_hour', rows: 0 },
        { table: 'refused_call', rows: 0 },
      ],
    })
    await joe.post(`/calls/${old}/get`).expect(404)
    await joe.post(`/calls/${young}/get`).expect(200)
  })

  it('are dropped after CALLS_KEPT_DAYS', async () => {
    await sql`delete from call_log`.execute(onward.db)
    await attach(-3)
    const id = await log(month(-3).from)
    const brief = await openFunctions({ env: { CALLS_KEPT_DAYS: '5', DATABASE_URL: onward.suite.databaseUrl } })
    await eventually(async () => void (await joe.post(`/calls/${id}/get`).expect(404)))
    await brief.close()
  })
})

describe('the calls log', () => {
  it('is listed across partitions, newest first and in pages', async () => {
    await sql`delete from call_log`.execute(onward.db)
    await attach(-1)
    const ids: string[] = []
    for (const days of [70, 40, 33, 32, 31, 2, 1, 0.5, 0]) ids.push(await log(new Date(Date.now() - days * DAY_MS)))
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await listed({ page_size: 2, ...(cursor === undefined ? {} : { _cursor: cursor }) })
      seen.push(...page.calls.map(({ id }: { id: string }) => id))
      cursor = page._cursor
    } while (cursor !== null)
    expect(seen).toEqual(ids.toReversed())
    const since = new Date(Date.now() - 32.5 * DAY_MS).toISOString()
    const until = new Date(Date.now() - 1.5 * DAY_MS).toISOString()
    expect((await listed({ since, until })).calls.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3, 6).toReversed())
  })
})

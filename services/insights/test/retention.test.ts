import { firstUuidAt, type Partition, type PartitionedTable, partitionAt, uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { daysAgo, type Insights, openInsights, type Partner, task } from './insights.ts'

const EVENTS: PartitionedTable = { table: 'task_event', key: 'id', every: 'day', ahead: 2 }

let insights: Insights
let partner: Partner
/** One for each test: midnight may pass meanwhile. */
let now: Date
beforeAll(async () => {
  insights = await openInsights()
  partner = await insights.partner()
  await sql`alter table task_event_default set (autovacuum_enabled = off)`.execute(insights.db)
  // The service itself makes nothing more for an hour.
  await eventually(async () => {
    const { kept_since } = await insights.db.selectFrom('event_retention').selectAll().executeTakeFirstOrThrow()
    expect(Number(kept_since)).toBeGreaterThan(0)
  })
})
beforeEach(() => {
  now = new Date()
})
afterAll(async () => await insights.close())

type Answer = { made: string[]; dropped: string[]; deleted: { table: string; rows: number }[] }

const run = async (): Promise<Answer> => (await insights.admin.post('/admin/retention/run', {}).expect(200)).body
/** Runs until these partitions, and no others, have been made or dropped: a run leaves out what it gets no lock for. */
async function runUntil(what: 'made' | 'dropped', partitions: string[], atOnce = 1): Promise<void> {
  const names: string[] = []
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: atOnce }, run))
    names.push(...answers.flatMap((answer) => answer[what]))
    expect(names.sort((a, b) => a.localeCompare(b))).toEqual(partitions)
  })
}
const rowsDeleted = (answer: Answer, table: string) => answer.deleted.find((each) => each.table === table)?.rows
const partitions = async () =>
  (
    await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'task_event'::regclass order by 1`.execute(insights.db)
  ).rows.map(({ name }) => name)
const placeOf = async (id: string | undefined) =>
  (await sql<{ place: string }>`select tableoid::regclass::text as place from task_event where id = ${id}`.execute(insights.db)).rows[0]
    ?.place
const today = () => partitionAt(EVENTS, now).name

async function attach({ name, from, to }: Partition): Promise<void> {
  await sql
    .raw(`create table ${name} partition of task_event for values from ('${firstUuidAt(from)}') to ('${firstUuidAt(to)}')`)
    .execute(insights.db)
}

async function store(id: string, at: Date): Promise<void> {
  await sql`insert into task_event values (${id}, ${partner.appKey}, 'joe', 'f', ${at})`.execute(insights.db)
}

describe('partitions of task events', () => {
  it('are there for today and two days ahead as soon as the service has started', async () => {
    const names = [0, 1, 2].map((n) => partitionAt(EVENTS, now, n).name)
    expect(await partitions()).toEqual([...names, 'task_event_default'])
    const [event] = partner.tasks('joe', 1, now)
    await insights.consume([event])
    expect(await placeOf(event?.id)).toBe(today())
    expect(await insights.metric('partitions')).toBe(3)
    expect(await insights.metric('partition_ahead_seconds')).toBeGreaterThan(2 * 86_400 - 1)
    expect(await insights.metric('partition_oldest_seconds')).toBeLessThan(86_400)
  })

  it('are made anew with what has come into the default one meanwhile, which then counts no second time', async () => {
    const [early, late] = [partner.tasks('ann', 3, now), partner.tasks('ann', 2, daysAgo(20))]
    await sql`drop table ${sql.table(today())}`.execute(insights.db)
    await insights.consume([...early, ...late])
    expect(await placeOf(early[0]?.id)).toBe('task_event_default')
    await runUntil('made', [today()])
    expect(await placeOf(early[2]?.id)).toBe(today())
    expect(await placeOf(late[0]?.id)).toBe('task_event_default')
    await insights.consume([...early, ...late])
    expect((await partner.status('ann').expect(200)).body.tasks_consumed).toBe(5)
  })

  it('are left out where too many rows would have to be moved', async () => {
    const { name, from } = partitionAt(EVENTS, now, 2)
    await sql`drop table ${sql.table(name)}`.execute(insights.db)
    const prefix = firstUuidAt(from).slice(0, 24)
    await sql`
      insert into task_event select (${prefix} || lpad(to_hex(n), 12, '0'))::uuid, 'a', 'u', 'f', now() from generate_series(1, 100001) n`.execute(
      insights.db,
    )
    expect((await run()).made).toEqual([])
    await sql`delete from task_event where app_key = 'a'`.execute(insights.db)
    await runUntil('made', [name])
  })

  it('are made once by processes that look at the same moment', async () => {
    const { name } = partitionAt(EVENTS, now, 1)
    await sql`drop table ${sql.table(name)}`.execute(insights.db)
    await runUntil('made', [name], 6)
  })
})

describe('what is too old', () => {
  const daysBefore = (days: number) => partitionAt(EVENTS, now, -days)

  it('goes with its partition, when all of the day is older than 36 days', async () => {
    for (const days of [36, 37, 60]) {
      await attach(daysBefore(days))
      await store(uuidv7(+daysBefore(days).from), daysBefore(days).from)
    }
    await runUntil('dropped', [daysBefore(60).name, daysBefore(37).name])
    expect(await partitions()).toContain(daysBefore(36).name)
    const { kept_since } = await insights.db.selectFrom('event_retention').selectAll().executeTakeFirstOrThrow()
    expect(Math.abs(Number(kept_since) - Number(daysAgo(36)))).toBeLessThan(60_000)
    await sql`drop table ${sql.table(daysBefore(36).name)}`.execute(insights.db)
  })

  it('stays with its partition while that holds a task of later', async () => {
    await attach(daysBefore(50))
    await store(uuidv7(+daysBefore(50).from), daysAgo(2))
    expect((await run()).dropped).toEqual([])
    await sql`delete from ${sql.table(daysBefore(50).name)}`.execute(insights.db)
    await runUntil('dropped', [daysBefore(50).name])
  })

  it('stays for the longest limit period of any application', async () => {
    const long = await insights.partner(60)
    await attach(daysBefore(59))
    expect((await run()).dropped).toEqual([])
    await insights.db.deleteFrom('application').where('app_key', '=', long.appKey).execute()
    await runUntil('dropped', [daysBefore(59).name])
  })

  it('goes from the default partition too', async () => {
    await store(uuidv7(+daysAgo(40)), daysAgo(40))
    await store(crypto.randomUUID(), daysAgo(36.1))
    await store(uuidv7(+daysAgo(34)), daysAgo(34))
    const before = await sql`select from task_event`.execute(insights.db)
    let deleted = 0
    await eventually(async () => {
      deleted += rowsDeleted(await run(), 'task_event_default') ?? 0
      expect(deleted).toBe(2)
    })
    expect((await sql`select from task_event`.execute(insights.db)).rows).toHaveLength(before.rows.length - 2)
  })

  it('keeps nobody waiting while the table is in use, and goes the next time', async () => {
    await attach(daysBefore(70))
    await insights.db.transaction().execute(async (tx) => {
      await sql`select from task_event limit 1`.execute(tx)
      const [answer] = await Promise.all([run(), insights.consume([task(partner.appKey, 'zoe')])])
      expect(answer.dropped).toEqual([])
    })
    expect((await partner.status('zoe').expect(200)).body.tasks_consumed).toBe(1)
    await runUntil('dropped', [daysBefore(70).name])
  })

  it('goes from quarantine, and from deliveries that came to an end, after 90 days', async () => {
    await insights.consume([{ id: 'old' }, { id: 'young' }])
    await sql`update quarantine set created_at = now() - interval '91 days' where event like '%old%'`.execute(insights.db)
    const ids = [91, 91, 91, 89].map((days) => uuidv7(+daysAgo(days)))
    const [done, failed, pending, young] = ids
    for (const [i, id] of ids.entries()) {
      await sql`
        insert into delivery (id, subscription_id, app_key, user_id, period_start, level, arm_seq, event_name, body, next_attempt_at)
        values (${id}, ${crypto.randomUUID()}, 'a', 'u', now(), ${i}, 0, 'e', '{}', now() + interval '1 day')`.execute(insights.db)
      await sql`insert into delivery_attempt (delivery_id, number, started_at, duration_ms) values (${id}, 1, now(), 5)`.execute(
        insights.db,
      )
    }
    await sql`update delivery set delivered_at = now() - interval '90.5 days' where id = any(${[done, young]}::uuid[])`.execute(insights.db)
    await sql`update delivery set failed_at = now() - interval '90.5 days' where id = ${failed}`.execute(insights.db)
    const answer = await run()
    expect([rowsDeleted(answer, 'quarantine'), rowsDeleted(answer, 'delivery')]).toEqual([1, 2])
    const left = await insights.db.selectFrom('delivery').select('id').where('id', 'in', ids).orderBy('id').execute()
    expect(left).toEqual([{ id: pending }, { id: young }])
  })
})

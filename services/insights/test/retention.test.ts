import { firstUuidAt, type Partition, type PartitionedTable, partitionAt, uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { daysAgo, task, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const EVENTS: PartitionedTable = { table: 'task_event', every: 'day' }

const insights = useInsights()
let workspace: Workspace
/** Set for each test, as midnight can pass between tests. */
let now: Date
beforeAll(async () => {
  workspace = await insights.workspace()
  await sql`alter table task_event_default set (autovacuum_enabled = off)`.execute(insights.db)
  // The service's own run is over; the next one comes in an hour.
  await eventually(async () => {
    const { kept_since } = await insights.db.selectFrom('event_retention').selectAll().executeTakeFirstOrThrow()
    expect(Number(kept_since)).toBeGreaterThan(0)
  })
})
beforeEach(() => {
  now = new Date()
})

type Cleanup = { made: string[]; dropped: string[]; deleted: { table: string; rows: number }[] }

const run = async (): Promise<Cleanup> => (await insights.admin.post('/admin/retention/run', {}).expect(200)).body
/** Repeats runs until exactly these partitions have been created or dropped: a run skips tables that it cannot lock. */
async function runUntil(what: 'made' | 'dropped', partitions: string[], atOnce = 1): Promise<void> {
  const names: string[] = []
  await eventually(async () => {
    const answers = await Promise.all(Array.from({ length: atOnce }, run))
    names.push(...answers.flatMap((response) => response[what]))
    expect(names.sort((a, b) => a.localeCompare(b))).toEqual(partitions)
  })
}
const rowsDeleted = (response: Cleanup, table: string) => response.deleted.find((each) => each.table === table)?.rows
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
  await sql`insert into task_event values (${id}, ${workspace.appKey}, 'joe', 'f', ${at})`.execute(insights.db)
}

describe('partitions of task events', () => {
  it('exist for today and 60 days ahead as soon as the service has started', async () => {
    await insights.stop()
    for (const days of [0, 60]) await sql`drop table ${sql.table(partitionAt(EVENTS, now, days).name)}`.execute(insights.db)
    await insights.restart()
    const names = Array.from({ length: 61 }, (_, days) => partitionAt(EVENTS, now, days).name)
    expect(await partitions()).toEqual([...names, 'task_event_default'])
    const [event] = workspace.tasks('joe', 1, now)
    await insights.consume([event])
    expect(await placeOf(event?.id)).toBe(today())
    expect(await insights.metric('partitions')).toBe(61)
    expect(await insights.metric('partition_ahead_seconds')).toBeGreaterThan(60 * 86_400 - 1)
    expect(await insights.metric('partition_oldest_seconds')).toBeLessThan(86_400)
  })

  it('leave a task of a day without one to the default partition, where a second delivery does not count it again', async () => {
    const late = workspace.tasks('ann', 2, daysAgo(20))
    await insights.consume(late)
    expect(await placeOf(late[0]?.id)).toBe('task_event_default')
    await insights.consume(late)
    expect((await workspace.status('ann').expect(200)).body.tasks_consumed).toBe(2)
  })

  it('are created once by six runs at the same moment', async () => {
    const { name } = partitionAt(EVENTS, now, 1)
    await sql`drop table ${sql.table(name)}`.execute(insights.db)
    await runUntil('made', [name], 6)
  })
})

describe('old task events', () => {
  const daysBefore = (days: number) => partitionAt(EVENTS, now, -days)

  it('go with their partition when the whole day is older than 36 days', async () => {
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

  it('stay for the longest limit period of any application', async () => {
    const long = await insights.workspace(60)
    await attach(daysBefore(59))
    expect((await run()).dropped).toEqual([])
    await insights.db.deleteFrom('application').where('app_key', '=', long.appKey).execute()
    await runUntil('dropped', [daysBefore(59).name])
  })

  it('go from the default partition too', async () => {
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

  it('stay, without delaying ingest, while another transaction uses the table, and go with the next run', async () => {
    await attach(daysBefore(70))
    await insights.db.transaction().execute(async (tx) => {
      await sql`select from task_event limit 1`.execute(tx)
      const [response] = await Promise.all([run(), insights.consume([task(workspace.appKey, 'zoe')])])
      expect(response.dropped).toEqual([])
    })
    expect((await workspace.status('zoe').expect(200)).body.tasks_consumed).toBe(1)
    await runUntil('dropped', [daysBefore(70).name])
  })

  it('go from quarantine after 90 days, and so do deliveries that ended 90 days ago', async () => {
    await insights.consume([{ id: 'old' }, { id: 'young' }])
    await sql`update quarantine set created_at = now() - interval '91 days' where event like '%old%'`.execute(insights.db)
    const ids = [91, 91, 91, 89].map((days) => uuidv7(+daysAgo(days)))
    const [done, failed, pending, young] = ids
    for (const [i, id] of ids.entries()) {
      await sql`
        insert into delivery (id, subscription_id, app_key, user_id, period_start, level, times_lowered, kind, payload, next_attempt_at)
        values (${id}, ${crypto.randomUUID()}, 'a', 'u', now(), ${i}, 0, 'e', '{}', now() + interval '1 day')`.execute(insights.db)
      await sql`insert into delivery_attempt (delivery_id, number, started_at, duration_ms) values (${id}, 1, now(), 5)`.execute(
        insights.db,
      )
    }
    await sql`update delivery set delivered_at = now() - interval '90.5 days' where id = any(${[done, young]}::uuid[])`.execute(insights.db)
    await sql`update delivery set failed_at = now() - interval '90.5 days' where id = ${failed}`.execute(insights.db)
    const response = await run()
    expect([rowsDeleted(response, 'quarantine'), rowsDeleted(response, 'delivery')]).toEqual([1, 2])
    const left = await insights.db.selectFrom('delivery').select('id').where('id', 'in', ids).orderBy('id').execute()
    expect(left).toEqual([{ id: pending }, { id: young }])
  })

  it('go with replays of deliveries that ended 90 days ago', async () => {
    const [ended, young, running] = [uuidv7(), uuidv7(), uuidv7()]
    const other = await insights.workspace()
    const replay = { created_by: 'joe', subscription_id: null, since: daysAgo(92), until: daysAgo(92), deliveries: 1 }
    await insights.db
      .insertInto('replay')
      .values([
        { ...replay, id: ended, workspace_id: other.id, finished_at: daysAgo(91) },
        { ...replay, id: young, workspace_id: other.id, finished_at: daysAgo(89) },
        { ...replay, id: running, workspace_id: other.id, created_at: daysAgo(91), finished_at: null },
      ])
      .execute()
    await run()
    const left = await insights.db.selectFrom('replay').select('id').where('workspace_id', '=', other.id).execute()
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([young, running]))
  })
})

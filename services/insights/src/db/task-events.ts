import type { HourRow } from '@onward/contract'
import { firstUuidAt, type PartitionedTable } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Task events have a partition for each day; the creation time of the id decides. */
export const EVENT_PARTITIONS: PartitionedTable = { table: 'task_event', every: 'day' }

export type TaskEvent = {
  readonly id: string
  readonly appKey: string
  readonly userId: string
  readonly functionName: string
  readonly occurredAt: Date
}

/**
 * Stores the events whose id is new, and returns these events. The ids must differ from each other. The unique key ensures that a task
 * counts once.
 */
export async function insertTaskEvents<T extends TaskEvent>(tx: Db, events: readonly T[]): Promise<readonly T[]> {
  // Returns the ids only if some of them existed, which is rare.
  const { rows } = await sql<{ ids: string[] | null }>`
    with inserted as (
      insert into task_event (id, app_key, user_id, function_name, occurred_at)
      select * from unnest(
        ${events.map((event) => event.id)}::uuid[], ${events.map((event) => event.appKey)}::text[], ${events.map((event) => event.userId)}::text[],
        ${events.map((event) => event.functionName)}::text[], ${events.map((event) => event.occurredAt)}::timestamptz[]
      ) as made (id, app_key, user_id, function_name, occurred_at)
      order by id
      on conflict do nothing returning id
    )
    select case when (select count(*) from inserted) < ${events.length}::int then array(select id::text from inserted) end as ids`.execute(
    tx,
  )
  const ids = rows[0]?.ids
  if (ids === null) return events
  const inserted = new Set(ids)
  return events.filter((event) => inserted.has(event.id))
}

export async function readTaskEvents(db: Db, ids: readonly string[]): Promise<Map<string, TaskEvent>> {
  const rows = await db.selectFrom('task_event').selectAll().where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, appKey: row.app_key, userId: row.user_id, functionName: row.function_name, occurredAt: row.occurred_at },
    ]),
  )
}

/** The time in an id can differ from `occurred_at`, because another clock sets it. */
const SLACK_MS = 3_600_000

/**
 * Returns the hours from `since` to before `until` with tasks that are counted, or that are in quarantine with a valid id and time. Tasks
 * that were dropped from quarantine are included, because functions must not send them again. Runs on `slowDb`, for maintenance only.
 */
export async function readEventHours(db: Db, since: Date, until: Date): Promise<HourRow[]> {
  const [first, end] = [firstUuidAt(new Date(+since - SLACK_MS)), firstUuidAt(new Date(+until + SLACK_MS))]
  const { rows } = await sql<HourRow>`
    with known as (
      select id, occurred_at from task_event
      where id >= ${first}::uuid and id < ${end}::uuid and occurred_at >= ${since} and occurred_at < ${until}
      union all
      select * from (
        select distinct on (event_id) event_id, occurred_at from (
          select event_id, occurred_at from quarantine union all select event_id, occurred_at from dropped_event
        ) uncounted
        where event_id >= ${first}::uuid and event_id < ${end}::uuid and occurred_at >= ${since} and occurred_at < ${until}
          and not exists (select from task_event e where e.id = uncounted.event_id)
        order by event_id, occurred_at
      ) quarantined
    )
    select date_trunc('hour', occurred_at, 'UTC') as hour, count(*)::int as tasks,
      bit_xor(('x' || translate(id::text, '-', ''))::bit(128))::text as bits
    from known group by 1 order by 1`.execute(db)
  return rows
}

/**
 * Raises `kept_since`: from now on, events that occurred before this time may be deleted. Waits for transactions that called
 * `lockKeptSince`.
 */
export async function raiseKeptSince(db: Db, before: Date): Promise<void> {
  await sql`update event_retention set kept_since = ${before} where kept_since < ${before}`.execute(db)
}

/**
 * Returns `kept_since`, in ms since 1970: all events that occurred since then are stored. Takes a share lock on it, so that it cannot
 * change until the transaction ends. −Infinity: no event has been deleted yet.
 */
export async function lockKeptSince(tx: Db): Promise<number> {
  const { rows } = await sql<{ kept_since: Date | number }>`select kept_since from event_retention for share`.execute(tx)
  return Number(rows[0]?.kept_since ?? Number.NEGATIVE_INFINITY)
}

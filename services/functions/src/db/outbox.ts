import { TASK_QUEUE, USER_EVENT_QUEUE } from '@onward/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** A table whose rows the relay publishes. */
export type Outbox = {
  readonly table: RawBuilder<unknown>
  readonly queue: string
  /** The events of a row `o`, a JSON array. */
  readonly events: RawBuilder<unknown>
  /** The traces of a row `o`, as in the message. */
  readonly traces: RawBuilder<unknown>
  /** Maximum number of events of a message. Rows of a table with one event each are not merged. */
  readonly batchMax: number
}

/** Task events. A row holds at most `batchMax`. */
export function taskOutbox(batchMax: number): Outbox {
  return { table: sql`outbox`, queue: TASK_QUEUE, events: sql`o.events`, traces: sql`o.traces`, batchMax }
}

/** Events about users: one in each row, with the id of the row. */
export const EVENT_OUTBOX: Outbox = {
  table: sql`event_outbox`,
  queue: USER_EVENT_QUEUE,
  events: sql`jsonb_build_array(jsonb_build_object(
    'id', o.id, 'kind', o.kind, 'app_key', o.app_key, 'user_id', o.user_id, 'data', o.data,
    'occurred_at', to_char(o.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`,
  traces: sql`null::jsonb`,
  batchMax: 1,
}

export type OutboxRow = {
  readonly events: unknown
  /** The `traceparent` of events that belong to a trace, by their ids. */
  readonly traces: Readonly<Record<string, unknown>> | null
  readonly id: string
  readonly createdAt: Date
  /** Whether the row may have been published before: its job may be pending or completed. */
  readonly sent: boolean
}

/**
 * Leases up to `max` free rows for `leaseSeconds`, oldest first. Returns each row's `sent` from before, and sets it. With `from`, skips rows
 * that were created more than 10 s before it. A lease takes at most 200 rows.
 */
export async function leaseOutbox(
  db: Db,
  { table, events, traces }: Pick<Outbox, 'table' | 'events' | 'traces'>,
  max: number,
  leaseSeconds: number,
  from?: Date,
): Promise<OutboxRow[]> {
  // The 10 s are for rows that are committed later than newer ones.
  const inRange = from === undefined ? sql`true` : sql`created_at >= ${from}::timestamptz - interval '10 seconds'`
  const { rows } = await sql<OutboxRow>`
    update ${table} o set leased_until = now() + make_interval(secs => ${leaseSeconds}), sent = true
    from (
      select id, sent from ${table} where leased_until <= now() and ${inRange}
      order by created_at, id limit ${max} for update skip locked
    ) free
    where o.id = free.id
    returning o.id, o.created_at as "createdAt", ${events} as events, ${traces} as traces, free.sent`.execute(db)
  return rows
}

/** Maximum number of rows and tasks that one statement merges. */
const MERGED_ROWS = 2_000
const MERGED_TASKS = 20_000
/** Only this number of the oldest rows is searched for small rows: searching a backlog of 2 million large rows takes a second. */
const SEARCHED_ROWS = 5_000

/**
 * Merges small rows of task events that were not published, among the oldest rows, into rows of at most `batchMax` events: a backlog is processed faster in
 * large messages. If one of them was published after all, insights still counts each task once. Merges at most 2,000 rows.
 */
export async function mergeOutbox(db: Db, batchMax: number): Promise<void> {
  // Small rows have at most a quarter of `batchMax` tasks. So a merged row, except the last one, has at least three quarters and is not
  // merged again.
  const small = Math.floor(batchMax / 4)
  if (small < 1) return
  await sql`
    with free as (
      select id, tasks, created_at from outbox
      where not sent and leased_until <= now() and tasks <= ${small}::int
        and created_at <= (
          select max(created_at) from (select created_at from outbox order by created_at, id limit ${SEARCHED_ROWS}::int) oldest
        )
      order by created_at, id limit ${MERGED_ROWS}::int for update skip locked
    ), summed as (
      select id, sum(tasks) over (order by created_at, id) as total from free
    ), numbered as (
      select id, (total - 1) / ${batchMax - small}::int as batch from summed where total <= ${MERGED_TASKS}::int
    ), grouped as (
      select id, batch, count(*) over (partition by batch) as rows from numbered
    ), taken as (
      delete from outbox o using grouped g where o.id = g.id and g.rows > 1 returning g.batch, o.id, o.events, o.traces, o.created_at
    )
    -- A lease in the past: the merged row is free at once.
    insert into outbox (events, tasks, traces, created_at, leased_until)
    select jsonb_agg(event order by created_at, id, place), count(*),
      jsonb_object_agg(event ->> 'id', traces -> (event ->> 'id')) filter (where traces is not null), min(created_at), min(created_at)
    from taken, jsonb_array_elements(events) with ordinality as each (event, place) group by batch`.execute(db)
}

/** Frees rows that could not be published, `afterSeconds` from now, and restores their `sent` flag. */
export async function releaseOutbox(
  db: Db,
  { table }: Pick<Outbox, 'table'>,
  rows: readonly OutboxRow[],
  afterSeconds: number,
): Promise<void> {
  await sql`
    update ${table} o set leased_until = now() + make_interval(secs => ${afterSeconds}), sent = row.sent
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ sent }) => sent)}::bool[]) as row (id, sent)
    where o.id = row.id`.execute(db)
}

/** Extends the leases of rows to `leaseSeconds` from now. */
export async function extendLeases(db: Db, { table }: Pick<Outbox, 'table'>, ids: readonly string[], leaseSeconds: number): Promise<void> {
  await sql`
    update ${table} set leased_until = now() + make_interval(secs => ${leaseSeconds}) where id = any(${ids}::uuid[])`.execute(db)
}

export async function deleteOutbox(db: Db, { table }: Pick<Outbox, 'table'>, ids: readonly string[]): Promise<void> {
  await sql`delete from ${table} where id = any(${ids}::uuid[])`.execute(db)
}

/** Rows are counted up to this number: counting a backlog of millions takes seconds. */
export const MAX_COUNTED = 10_000

/** Returns the rows that insights has not confirmed, counted up to `MAX_COUNTED`, their tasks, and the age of the oldest in seconds. */
export async function measureOutbox(db: Db): Promise<{ rows: number; tasks: number; oldestSeconds: number }> {
  const { rows } = await sql<{ rows: number; tasks: number; oldestSeconds: number }>`
    select counted.rows, counted.tasks,
      coalesce((select extract(epoch from now() - created_at) from outbox order by created_at, id limit 1), 0)::float8 as "oldestSeconds"
    from (
      select count(*)::int as rows, coalesce(sum(tasks), 0)::int as tasks from (select tasks from outbox limit ${MAX_COUNTED}) first
    ) counted`.execute(db)
  return rows[0] ?? { rows: 0, tasks: 0, oldestSeconds: 0 }
}

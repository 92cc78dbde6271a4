import type { HourRow } from '@onward/contract'
import { sql } from 'kysely'
import { lowestIdAfter, lowestIdSince } from './calls.ts'
import { outboxSql } from './record-calls.ts'
import type { Db } from './tables.ts'

/** Returns the hours with counted calls, from `since` to before `until`. */
export async function readCallHours(db: Db, since: Date, until: Date): Promise<HourRow[]> {
  const { rows } = await sql<HourRow>`
    select date_trunc('hour', occurred_at, 'UTC') as hour, count(*)::int as tasks,
      bit_xor(('x' || translate(call_id::text, '-', ''))::bit(128))::text as bits
    from call_log
    where call_id >= ${lowestIdSince(since)}::uuid and call_id < ${lowestIdAfter(until)}::uuid
      and occurred_at >= ${since} and occurred_at < ${until} and outcome <> 'unreachable' and not internal
    group by 1 order by 1`.execute(db)
  return rows
}

export type Pending = {
  /** Number of open calls that began before the given time. */
  readonly openCalls: number
  /** The time of the oldest outbox row; null when there is none. */
  readonly outboxOldestAt: Date | null
  readonly now: Date
}

export async function readPending(db: Db, until: Date): Promise<Pending> {
  const { rows } = await sql<Pending>`
    select (select count(*)::int from call_attempt where occurred_at < ${until}) as "openCalls",
      (select min(created_at) from outbox) as "outboxOldestAt", now() as now`.execute(db)
  return rows[0] as Pending
}

export type Span = { readonly since: Date; readonly until: Date }

/**
 * Inserts counted calls of a span into the outbox again: up to `max`, in order of their ids, beginning after the call `after`. Returns
 * their number and the id of the last one.
 */
export async function resendCalls(
  db: Db,
  { since, until }: Span,
  after: string | null,
  max: number,
  batchMax: number,
): Promise<{ tasks: number; last: string | null; sentAt: Date }> {
  const from = after === null ? sql`call_id >= ${lowestIdSince(since)}::uuid` : sql`call_id > ${after}::uuid`
  const { rows } = await sql<{ tasks: number; last: string | null; sentAt: Date }>`
    with again as (
      select call_id, app_key, user_id, function_name, occurred_at from call_log
      where ${from} and call_id < ${lowestIdAfter(until)}::uuid
        and occurred_at >= ${since} and occurred_at < ${until} and outcome <> 'unreachable' and not internal
      order by call_id limit ${max}
    ), queued as (${sql.raw(outboxSql('select * from again', batchMax))})
    select count(*)::int as tasks, (select call_id from again order by call_id desc limit 1) as last, now() as "sentAt" from again`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('calls could not be sent again: the query returned no row')
  return row
}

import type { HourRow } from '@onward/contract'
import { sql } from 'kysely'
import { lowestIdAfter, lowestIdSince } from './calls.ts'
import { outboxSql } from './record-calls.ts'
import type { Db } from './tables.ts'

/** Returns the hours with counted calls, from `since` to before `until`. Runs on `slowDb`, for administrators only. */
export async function readTaskHours(db: Db, since: Date, until: Date): Promise<HourRow[]> {
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
 * their number and the id of the last one. A page has at most 50,000 calls.
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

/** A comparison that this process has claimed. */
export type Comparison = {
  /** Identifies the claim, which expires after ten minutes. */
  readonly claim: string
  /** No open call of the last 15 minutes began before this time, so every task from before it is in the calls log. */
  readonly until: Date
  /** Hours whose tasks were sent again since the last comparison. */
  readonly resent: readonly Date[]
}

/**
 * Claims the comparison if it is due and no other process has claimed it. A comparison that must include the last calls first waits until
 * they have ended. Older call attempts than 15 minutes are ignored, because no call takes that long: a failover can restore the attempt of
 * a recorded call, and it stays open until its process ends. The last `settleMs` are left out, because an attempt can become visible
 * shortly after its `occurred_at`.
 */
export async function claimComparison(db: Db, settleMs: number): Promise<Comparison | undefined> {
  const settled = sql`now() - make_interval(secs => ${settleMs / 1_000}::float8)`
  const oldest = sql`now() - interval '15 minutes'`
  const { rows } = await sql<Comparison>`
    update reconciliation set compare_at = now() + interval '10 minutes'
    where compare_at <= now() and reach < ${settled}
      and not exists (select from call_attempt where occurred_at <= reach and occurred_at > ${oldest})
    returning compare_at::text as claim, resent, (
      select date_trunc('milliseconds', least(${settled}, min(occurred_at))) from call_attempt where occurred_at > ${oldest}
    ) as until`.execute(db)
  return rows[0]
}

/** Ends a claim after a comparison was published; the next one is due after `nextMs`. Does nothing if a comparison was requested since. */
export async function endComparison(db: Db, { claim }: Comparison, nextMs: number): Promise<void> {
  await sql`
    update reconciliation set compare_at = now() + make_interval(secs => ${nextMs / 1_000}), resent = '{}'
    where compare_at = ${claim}::timestamptz`.execute(db)
}

/** Gives a claim back; the comparison is due again after `ms`. */
export async function postponeComparison(db: Db, { claim }: Comparison, ms: number): Promise<void> {
  await sql`
    update reconciliation set compare_at = now() + make_interval(secs => ${ms / 1_000}) where compare_at = ${claim}::timestamptz`.execute(
    db,
  )
}

/** Makes a comparison due soon, which includes all calls from before now. */
export async function requestComparison(db: Db): Promise<void> {
  await sql`update reconciliation set compare_at = now(), reach = now()`.execute(db)
}

/** Makes a comparison due now, because the tasks of some hours were sent again. */
export async function requestComparisonOf(db: Db, resent: readonly Date[]): Promise<void> {
  await sql`update reconciliation set compare_at = now(), resent = resent || ${resent}::timestamptz[]`.execute(db)
}

/**
 * Like `requestComparison`, but only if Postgres was restarted or another server has taken over since this was last called: either can lose
 * the last commits. Returns whether that happened. The start time of the server is replicated with the row, so it differs in both cases.
 */
export async function noticeRestart(db: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update reconciliation set compare_at = now(), reach = now(), server_started_at = pg_postmaster_start_time()
    where server_started_at <> pg_postmaster_start_time()`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

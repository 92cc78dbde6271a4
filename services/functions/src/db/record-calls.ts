import type { CallOutcome } from '@onward/contract'
import type { Prepared, Statement } from '@onward/runtime'
import { sql } from 'kysely'
import type { Attempt } from './attempts.ts'
import type { Db } from './tables.ts'

export type FinishedCall = {
  readonly callId: string
  readonly outcome: CallOutcome
  readonly networkCode: number | null
  readonly durationMs: number
  /** JSON text; null when bodies are not stored. */
  readonly arguments: string | null
  readonly output: string | null
  /** The `traceparent` of the span that records the call, if it is recorded itself. */
  readonly trace?: string
}

/** Two statements, so that calls without traces pay nothing for them. */
const RECORD_CALLS: Statement = { name: 'insert into call_log', text: recordSql(false) }
const RECORD_TRACED_CALLS: Statement = { name: 'insert into call_log with traces', text: recordSql(true) }

function recordSql(traced: boolean): string {
  const [values, trace] = traced ? [', $8::text[]', ', trace'] : ['', '']
  return `
    with done as (
      select * from unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::text[], $6::text[]${values})
        as t (call_id, outcome, network_code, duration_ms, arguments, output${trace})
    ), gone as (
      delete from call_attempt a using done d where a.call_id = d.call_id
      returning a.*, d.outcome, d.network_code, d.duration_ms, d.arguments, d.output${trace}
    ), logged as (
      insert into call_log (call_id, app_key, user_id, function_name, function_version, app, connected_account_id,
        outcome, network_code, occurred_at, duration_ms, arguments, output, via, request_id, token_id)
      select call_id, app_key, user_id, function_name, function_version, app, connected_account_id,
        outcome, network_code, occurred_at, duration_ms, arguments, output, via, request_id, token_id
      from gone
    ), queued as (
      ${outboxSql(`select call_id, app_key, user_id, function_name, occurred_at${trace} from gone where outcome <> 'unreachable'`, '$7', traced)}
    )
    select (select count(*)::int from gone) as settled, (select count(*)::int from queued) as queued`
}

/**
 * C1: converts call attempts to log rows and outbox rows in one statement. It can be repeated: only attempts that this run deletes are
 * logged and counted. `settled` is less than the number of calls when some of them have no attempt any more.
 */
export async function recordCalls(
  prepared: Prepared,
  calls: readonly FinishedCall[],
  batchMax: number,
): Promise<{ settled: number; queued: number }> {
  const traced = calls.some(({ trace }) => trace !== undefined)
  const [row] = await prepared.run<{ settled: number; queued: number }>(traced ? RECORD_TRACED_CALLS : RECORD_CALLS, [
    calls.map((c) => c.callId),
    calls.map((c) => c.outcome),
    calls.map((c) => c.networkCode),
    calls.map((c) => c.durationMs),
    calls.map((c) => c.arguments),
    calls.map((c) => c.output),
    batchMax,
    ...(traced ? [calls.map((c) => c.trace ?? null)] : []),
  ])
  return row ?? { settled: 0, queued: 0 }
}

/**
 * Corrects calls that the sweeper logged as `unknown`, without a second task event. Run this after `recordCalls`: when that statement has
 * ended, a concurrent transaction of the sweeper has ended too.
 */
export async function correctCalls(db: Db, calls: readonly FinishedCall[]): Promise<void> {
  await sql`
    with done as (
      select * from unnest(
        ${calls.map((c) => c.callId)}::uuid[],
        ${calls.map((c) => c.outcome)}::text[],
        ${calls.map((c) => c.networkCode)}::int[],
        ${calls.map((c) => c.durationMs)}::int[],
        ${calls.map((c) => c.arguments)}::text[],
        ${calls.map((c) => c.output)}::text[]
      ) as t (call_id, outcome, network_code, duration_ms, arguments, output)
    )
    update call_log l
    -- The sweeper counted the call. An unreachable call must not be counted, so such a row keeps the outcome unknown.
    set outcome = case d.outcome when 'unreachable' then l.outcome else d.outcome end, network_code = d.network_code,
      duration_ms = d.duration_ms, arguments = d.arguments, output = d.output
    from done d
    -- The ids are repeated as values, because only values let Postgres skip partitions.
    where l.call_id = d.call_id and l.call_id = any(${calls.map((c) => c.callId)}::uuid[]) and l.outcome = 'unknown'`.execute(db)
}

/** `occurredAt` is the time that Postgres gave the call attempt. */
type BegunCall = FinishedCall & Attempt & { readonly occurredAt: Date }

/**
 * Logs and counts the calls that have no log row. Run this only after `recordCalls`: a call without an attempt and without a log row is one
 * whose stored attempt was lost in a failover of Postgres. It can be repeated, because a call with a log row is left out.
 */
export async function recordMissing(db: Db, calls: readonly BegunCall[], batchMax: number): Promise<{ logged: number; queued: number }> {
  const { rows } = await sql<{ logged: number; queued: number }>`
    with logged as (
      insert into call_log (call_id, app_key, user_id, function_name, function_version, app, connected_account_id,
        outcome, network_code, occurred_at, duration_ms, arguments, output, via, request_id, token_id)
      select * from unnest(
        ${calls.map((c) => c.callId)}::uuid[],
        ${calls.map((c) => c.appKey)}::text[],
        ${calls.map((c) => c.userId)}::text[],
        ${calls.map((c) => c.functionName)}::text[],
        ${calls.map((c) => c.functionVersion)}::text[],
        ${calls.map((c) => c.app)}::text[],
        ${calls.map((c) => c.accountId)}::bigint[],
        ${calls.map((c) => c.outcome)}::text[],
        ${calls.map((c) => c.networkCode)}::int[],
        ${calls.map((c) => c.occurredAt)}::timestamptz[],
        ${calls.map((c) => c.durationMs)}::int[],
        ${calls.map((c) => c.arguments)}::text[],
        ${calls.map((c) => c.output)}::text[],
        ${calls.map((c) => c.via)}::text[],
        ${calls.map((c) => c.requestId)}::text[],
        ${calls.map((c) => c.tokenId)}::uuid[]
      )
      on conflict (call_id) do nothing
      returning *
    ), queued as (
      ${sql.raw(outboxSql("select call_id, app_key, user_id, function_name, occurred_at from logged where outcome <> 'unreachable'", batchMax))}
    )
    select (select count(*)::int from logged) as logged, (select count(*)::int from queued) as queued`.execute(db)
  return rows[0] ?? { logged: 0, queued: 0 }
}

/**
 * Converts up to `max` call attempts of processes without a heartbeat for 30 s. Their calls may have been sent, so they are logged as
 * `unknown` and counted. Returns the number of attempts. A sweep takes at most 500.
 */
export async function sweepAttempts(db: Db, max: number, batchMax: number): Promise<number> {
  const dead = sql`not exists (select from process p where p.id = a.process_id and p.beat_at > now() - interval '30 seconds')`
  return await recordUnknown(db, sql`${dead} limit ${max}`, batchMax)
}

/** Converts these call attempts in the same way. Returns the number of existing attempts. */
export async function recordLost(db: Db, callIds: readonly string[], batchMax: number): Promise<number> {
  return await recordUnknown(db, sql`a.call_id = any(${callIds}::uuid[])`, batchMax)
}

async function recordUnknown(db: Db, which: ReturnType<typeof sql>, batchMax: number): Promise<number> {
  const { rows } = await sql<{ settled: number }>`
    with lost as (
      select a.call_id from call_attempt a where ${which} for update skip locked
    ), gone as (
      delete from call_attempt a using lost where a.call_id = lost.call_id returning a.*
    ), logged as (
      insert into call_log (call_id, app_key, user_id, function_name, function_version, app, connected_account_id,
        outcome, occurred_at, via, request_id, token_id)
      select call_id, app_key, user_id, function_name, function_version, app, connected_account_id,
        'unknown', occurred_at, via, request_id, token_id
      from gone
    ), queued as (${sql.raw(outboxSql('select call_id, app_key, user_id, function_name, occurred_at from gone', batchMax))})
    select count(*)::int as settled from gone`.execute(db)
  return rows[0]?.settled ?? 0
}

/**
 * Returns SQL that inserts one outbox row for each `batchMax` task events, in the form of the contract's task-consumed message. `counted`
 * selects the events, with their traces if `traced`; `batchMax` is a number or a parameter.
 */
export function outboxSql(counted: string, batchMax: number | '$7', traced = false): string {
  return `
    insert into outbox (events, tasks${traced ? ', traces' : ''})
    select jsonb_agg(jsonb_build_object(
      'id', call_id, 'app_key', app_key, 'user_id', user_id, 'function_name', function_name,
      'occurred_at', to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), count(*)${traced ? ', jsonb_object_agg(call_id, trace) filter (where trace is not null)' : ''}
    from (select *, (row_number() over () - 1) / ${batchMax}::int as batch from (${counted}) counted) numbered
    group by batch
    returning id`
}

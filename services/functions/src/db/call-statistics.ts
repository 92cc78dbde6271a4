import { type CallOutcome, HOUR_MS, type StatisticsKey } from '@onward/contract'
import { firstUuidAt, timeOfUuid } from '@onward/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** The calls of an hour with the same application, function and result. */
export type CallGroup = {
  readonly hour: Date
  readonly appKey: string
  readonly app: string
  readonly functionName: string
  readonly outcome: CallOutcome
  readonly networkCode: number | null
  readonly calls: number
  /** The calls by duration. The first number counts durations below the first bound, and the last one those from the last bound. */
  readonly durations: readonly number[]
  readonly lastCallId: string
}

/** The bounds between the numbers of `durations`: powers of two from 2 ms to 33 s. Existing rows depend on them. */
export const DURATION_BOUNDS_MS: readonly number[] = Array.from({ length: 15 }, (_, n) => 2 ** (n + 1))

/** How much of the log one statement reads. */
const SLICE_MS = 600_000

/**
 * Reads the calls log from one time to another within an hour, by the times of the ids, a part at a time. `take` gets the groups of each
 * part and its end.
 */
export async function readCallGroups(db: Db, from: Date, to: Date, take: (groups: CallGroup[], end: Date) => void): Promise<void> {
  for (let start = +from; start < +to; start += SLICE_MS) {
    const end = new Date(Math.min(start + SLICE_MS, +to))
    take(await selectGroups(db, new Date(start), end), end)
  }
}

/** Returns the groups of calls from `from` to before `to`. The caller reads at most ten minutes at once. */
async function selectGroups(db: Db, from: Date, to: Date): Promise<CallGroup[]> {
  const { rows } = await sql<{
    app_key: string
    app: string
    function_name: string
    outcome: CallOutcome
    network_code: number | null
    place: number | null
    calls: number
    last: string
  }>`
    select app_key, app, function_name, outcome, network_code, width_bucket(duration_ms, ${[...DURATION_BOUNDS_MS]}::int[]) as place,
      count(*)::int as calls, max(call_id::text collate "C") as last
    from call_log
    where call_id >= ${firstUuidAt(from)} and call_id < ${firstUuidAt(to)} and not internal
    group by 1, 2, 3, 4, 5, 6`.execute(db)
  const hour = hourOf(from)
  return rows.map((row) => ({
    hour,
    appKey: row.app_key,
    app: row.app,
    functionName: row.function_name,
    outcome: row.outcome,
    networkCode: row.network_code,
    calls: row.calls,
    durations: Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, (_, place) => (place === row.place ? row.calls : 0)),
    lastCallId: row.last,
  }))
}

/** Returns the start of the hour of a time. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(+at / HOUR_MS) * HOUR_MS)
}

/** Returns the newest counted hour. */
export async function findNewestCountedHour(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('counted_hour').select('hour').orderBy('hour', 'desc').limit(1).executeTakeFirst()
  return row?.hour
}

/** Returns the time of Postgres, which the ids of calls have. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  if (rows[0] === undefined) throw new Error('Postgres returned no time')
  return rows[0].now
}

/**
 * Returns the finished hours to count, newest first: hours that were not counted, or were counted less than an hour after their end. Calls
 * that end late can still belong to the latter.
 */
export async function findUncountedHours(db: Db, keptDays: number): Promise<Date[]> {
  const oldest = await db.selectFrom('call_log').select('call_id').orderBy('call_id').limit(1).executeTakeFirst()
  if (oldest === undefined) return []
  const { rows } = await sql<{ hour: Date }>`
    select hour from generate_series(
      greatest(${hourOf(timeOfUuid(oldest.call_id))}::timestamptz, date_trunc('hour', now(), 'UTC') - make_interval(days => ${keptDays})),
      date_trunc('hour', now(), 'UTC') - interval '1 hour', interval '1 hour') as hour
    left join counted_hour using (hour)
    where counted_at is null or (counted_at < hour + interval '2 hours' and now() >= hour + interval '2 hours')
    order by hour desc`.execute(db)
  return rows.map(({ hour }) => hour)
}

/** Returns the hour of the newest call that began before a time. */
export async function findHourWithCalls(db: Db, before: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('call_log')
    .select('call_id')
    .where('call_id', '<', firstUuidAt(before))
    .orderBy('call_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && hourOf(timeOfUuid(row.call_id))
}

/** Stores that the calls of these hours were counted. */
export async function markCounted(db: Db, hours: readonly Date[]): Promise<void> {
  await sql`
    insert into counted_hour (hour) select * from unnest(${[...hours]}::timestamptz[])
    on conflict (hour) do update set counted_at = now()`.execute(db)
}

/** Maximum number of rows that one statement inserts or deletes. */
const ROWS_MAX = 2_000

/** Replaces the groups of an hour. Must run in a transaction. A statement writes at most 2,000 rows. */
export async function replaceHour(db: Db, hour: Date, groups: readonly CallGroup[]): Promise<void> {
  await db.deleteFrom('call_hour').where('hour', '=', hour).execute()
  for (let at = 0; at < groups.length; at += ROWS_MAX) {
    const rows = groups.slice(at, at + ROWS_MAX).map((group) => ({
      hour,
      app_key: group.appKey,
      app: group.app,
      function_name: group.functionName,
      outcome: group.outcome,
      network_code: group.networkCode,
      calls: group.calls,
      durations: [...group.durations],
      last_call_id: group.lastCallId,
    }))
    await db.insertInto('call_hour').values(rows).execute()
  }
  await markCounted(db, [hour])
}

/** Returns whether no other process holds this lock, which the transaction then holds until its end. */
export async function lockCounting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(hashtextextended('call_hour', 0)) as locked`.execute(db)
  return rows[0]?.locked === true
}

/**
 * Deletes the hours that began more than `keptDays` + 1 days ago, as the calls log does. Returns the number of groups.
 * A statement deletes at most 2,000 rows.
 */
export async function deleteOldHours(db: Db, keptDays: number): Promise<number> {
  const old = sql<boolean>`hour < now() - make_interval(days => ${keptDays + 1})`
  await db.deleteFrom('counted_hour').where(old).execute()
  for (let total = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from call_hour where ctid = any(array(select ctid from call_hour where ${old} limit ${ROWS_MAX}))`.execute(db)
    total += Number(numAffectedRows)
    if (numAffectedRows < ROWS_MAX) return total
  }
}

/** Selects hours from `since` to before `until`. */
export type HourFilter = {
  /** Undefined for all applications. */
  readonly appKeys: readonly string[] | undefined
  readonly app: string | undefined
  readonly functionName: string | undefined
  readonly since: Date
  readonly until: Date
}

/** The sums of the calls of an hour, or of several hours, with one key. */
export type CallSums = {
  readonly key: string | null
  readonly calls: number
  readonly tasks: number
  readonly failed: number
  readonly durations: readonly number[]
}

const KEYS: Readonly<Record<StatisticsKey, RawBuilder<unknown>>> = {
  none: sql`null::text`,
  app: sql`app`,
  function_name: sql`function_name`,
  app_key: sql`app_key`,
}

const FAILED = sql`(outcome <> 'answered' or network_code >= 400)`
const DURATIONS = sql.join(DURATION_BOUNDS_MS.concat(0).map((_, place) => sql`sum(durations[${sql.lit(place + 1)}])::int`))

/** Returns the keys with the most calls in the counted hours, with their numbers of calls. */
export async function selectKeys(db: Db, filter: HourFilter, by: StatisticsKey, max: number): Promise<{ key: string; calls: number }[]> {
  const { rows } = await sql<{ key: string; calls: number }>`
    select ${KEYS[by]} as key, sum(calls)::float8 as calls from call_hour where ${conditions(filter)}
    group by 1 order by calls desc, key limit ${max}`.execute(db)
  return rows
}

/** Returns the sums of each counted hour, by key. With `keys`, only theirs. Runs on `slowDb`, for administrators only. */
export async function selectHourSums(
  db: Db,
  filter: HourFilter,
  by: StatisticsKey,
  keys: readonly string[] | undefined,
): Promise<(CallSums & { readonly hour: Date })[]> {
  const { rows } = await sql<CallSums & { hour: Date }>`
    select hour, ${KEYS[by]} as key, sum(calls)::float8 as calls,
      coalesce(sum(calls) filter (where outcome <> 'unreachable'), 0)::float8 as tasks,
      coalesce(sum(calls) filter (where ${FAILED}), 0)::float8 as failed, array[${DURATIONS}] as durations
    from call_hour
    where ${conditions(filter)} and ${keys === undefined ? sql`true` : sql`${KEYS[by]} = any(${[...keys]})`}
    group by 1, 2`.execute(db)
  return rows
}

export type FailureCause = Pick<CallGroup, 'app' | 'functionName' | 'outcome' | 'networkCode' | 'calls' | 'lastCallId'>

/** Returns the most frequent kinds of failure in the counted hours. */
export async function selectCauses(db: Db, filter: HourFilter, max: number): Promise<FailureCause[]> {
  const { rows } = await sql<FailureCause>`
    select app, function_name as "functionName", outcome, network_code as "networkCode", sum(calls)::float8 as calls,
      max(last_call_id::text collate "C") as "lastCallId"
    from call_hour where ${conditions(filter)} and ${FAILED}
    group by 1, 2, 3, 4 order by calls desc limit ${max}`.execute(db)
  return rows
}

/** Maximum number of calls in which users of failures are counted. */
const USERS_COUNTED_IN = 20_000

type CauseUsers = Pick<FailureCause, 'app' | 'functionName' | 'outcome' | 'networkCode' | 'calls'> & { readonly users: number }

/** Returns how many users each kind of failure affects, in the newest 20,000 calls of the period. `calls` is how many of these it has. */
export async function selectCauseUsers(db: Db, { appKeys, app, functionName, since, until }: HourFilter): Promise<CauseUsers[]> {
  const { rows } = await sql<CauseUsers>`
    select app, function_name as "functionName", outcome, network_code as "networkCode", count(*)::int as calls,
      count(distinct (app_key, user_id))::int as users
    from (
      select app_key, user_id, app, function_name, outcome, network_code, internal
      from call_log where call_id >= ${firstUuidAt(since)} and call_id < ${firstUuidAt(until)}
      order by call_id desc limit ${USERS_COUNTED_IN}
    ) as newest
    where not internal and ${FAILED}
      and ${appKeys === undefined ? sql`true` : sql`app_key = any(${[...appKeys]})`}
      and ${app === undefined ? sql`true` : sql`app = ${app}`}
      and ${functionName === undefined ? sql`true` : sql`function_name = ${functionName}`}
    group by 1, 2, 3, 4`.execute(db)
  return rows
}

function conditions({ appKeys, app, functionName, since, until }: HourFilter): RawBuilder<unknown> {
  const all = [sql`hour >= ${since}`, sql`hour < ${until}`]
  if (appKeys !== undefined) all.push(sql`app_key = any(${[...appKeys]})`)
  if (app !== undefined) all.push(sql`app = ${app}`)
  if (functionName !== undefined) all.push(sql`function_name = ${functionName}`)
  return sql.join(all, sql` and `)
}

/** Returns the number of calls in the last counted hour of the `limit` workspaces with the most calls, by workspace. */
export async function countByWorkspace(db: Db, limit: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ workspace: string; calls: number }>`
    select workspace_id as workspace, sum(calls)::float8 as calls from call_hour join application using (app_key)
    where hour = (select max(hour) from counted_hour) group by 1 order by 2 desc limit ${limit}`.execute(db)
  return Object.fromEntries(rows.map(({ workspace, calls }) => [workspace, calls]))
}

import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'
import { keyRows, type User } from './users.ts'

/** What a user consumed in one period, and the highest level reached in it. */
export type UsagePeriod = UserKey & {
  readonly startsAt: Date
  readonly endsAt: Date
  readonly consumed: number
  readonly level: number
  readonly timesLowered: number
}

/** `period` is null when the user had no task in the period that is current by the database's clock, `now`. */
export type StoredUsage = User & { readonly period: UsagePeriod | null; readonly now: Date }

type PeriodRow = {
  app_key: string
  user_id: string
  starts_at: Date
  ends_at: Date
  consumed: string
  level: number
  times_lowered: number
}
type UsageRow = {
  app_key: string
  user_id: string
  task_limit: string | null
  limit_seq: string
  anchor: Date | null
  now: Date
} & ({ starts_at: null } | { starts_at: Date; ends_at: Date; consumed: string; level: number; times_lowered: number })

function periodOf(row: PeriodRow): UsagePeriod {
  return {
    appKey: row.app_key,
    userId: row.user_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    consumed: Number(row.consumed),
    level: row.level,
    timesLowered: row.times_lowered,
  }
}

/**
 * SQL condition on a user `u` and a period `p`: the period is current. The first period is current even before it begins, because the clock
 * of functions may be ahead.
 */
export const IS_CURRENT = sql`p.starts_at <= greatest(statement_timestamp(), u.anchor) and p.ends_at > greatest(statement_timestamp(), u.anchor)`

const CURRENT = sql`
  select u.app_key, u.user_id, u.task_limit, u.limit_seq, u.anchor,
    p.starts_at, p.ends_at, p.consumed, p.level, p.times_lowered, statement_timestamp() as now
  from usage_user u left join usage_period p
    on p.app_key = u.app_key and p.user_id = u.user_id and ${IS_CURRENT}`

function usageOf(row: UsageRow): StoredUsage {
  const { app_key: appKey, user_id: userId } = row
  return {
    appKey,
    userId,
    ownLimit: row.task_limit === null ? null : Number(row.task_limit),
    limitSeq: Number(row.limit_seq),
    anchor: row.anchor,
    period: row.starts_at === null ? null : periodOf({ ...row, app_key: appKey, user_id: userId }),
    now: row.now,
  }
}

export async function readUsage(db: Db, { appKey, userId }: UserKey): Promise<StoredUsage | undefined> {
  const { rows } = await sql<UsageRow>`${CURRENT} where u.app_key = ${appKey} and u.user_id = ${userId}`.execute(db)
  return rows[0] && usageOf(rows[0])
}

export async function readUsages(db: Db, keys: readonly UserKey[]): Promise<StoredUsage[]> {
  const { rows } = await sql<UsageRow>`${CURRENT} where (u.app_key, u.user_id) in (select * from ${keyRows(keys)})`.execute(db)
  return rows.map(usageOf)
}

export type PeriodAddition = UserKey & { readonly startsAt: Date; readonly endsAt: Date; readonly tasks: number }

/** Tasks of one user on one UTC day. Days are counted from 1970-01-01. */
export type DayAddition = UserKey & { readonly day: number; readonly tasks: number }

/** Adds tasks to periods and days; each period and day may occur only once. Returns the periods with the new figures, in any order. */
export async function addTasks(tx: Db, additions: readonly PeriodAddition[], days: readonly DayAddition[]): Promise<UsagePeriod[]> {
  // One statement for both tables saves a round trip while the users are locked.
  const { rows } = await sql<PeriodRow>`
    with days as (
      insert into usage_day as d (app_key, user_id, day, consumed)
      select app_key, user_id, date '1970-01-01' + day, tasks from unnest(
        ${days.map((each) => each.appKey)}::text[], ${days.map((each) => each.userId)}::text[],
        ${days.map((each) => each.day)}::int[], ${days.map((each) => each.tasks)}::bigint[]
      ) as made (app_key, user_id, day, tasks)
      on conflict (app_key, user_id, day) do update set consumed = d.consumed + excluded.consumed
    )
    insert into usage_period as p (app_key, user_id, starts_at, ends_at, consumed)
    select * from unnest(
      ${additions.map((each) => each.appKey)}::text[], ${additions.map((each) => each.userId)}::text[],
      ${additions.map((each) => each.startsAt)}::timestamptz[], ${additions.map((each) => each.endsAt)}::timestamptz[],
      ${additions.map((each) => each.tasks)}::bigint[]
    )
    on conflict (app_key, user_id, starts_at) do update set consumed = p.consumed + excluded.consumed, ends_at = excluded.ends_at
    returning *`.execute(tx)
  return rows.map(periodOf)
}

/**
 * Returns the periods of users that were current at a time or began later. Later ones exist when a clock is ahead. Periods without a task
 * have no row.
 */
export async function readPeriodsSince(db: Db, keys: readonly UserKey[], at: Date): Promise<UsagePeriod[]> {
  const { rows } = await sql<PeriodRow>`
    select p.* from usage_user u
    join ${keyRows(keys)} using (app_key, user_id)
    join usage_period p using (app_key, user_id)
    where p.ends_at > greatest(${at}::timestamptz, u.anchor)`.execute(db)
  return rows.map(periodOf)
}

/** Stores the level and `timesLowered` of periods. */
export async function setLevels(tx: Db, periods: readonly Omit<UsagePeriod, 'endsAt' | 'consumed'>[]): Promise<void> {
  await sql`
    update usage_period p set level = made.level, times_lowered = made.times_lowered
    from unnest(
      ${periods.map((each) => each.appKey)}::text[], ${periods.map((each) => each.userId)}::text[],
      ${periods.map((each) => each.startsAt)}::timestamptz[],
      ${periods.map((each) => each.level)}::int[], ${periods.map((each) => each.timesLowered)}::int[]
    ) as made (app_key, user_id, starts_at, level, times_lowered)
    where p.app_key = made.app_key and p.user_id = made.user_id and p.starts_at = made.starts_at`.execute(tx)
}

/**
 * Sets the length of all periods of users that begin after `from`. A period that begins exactly then changes only if it is the user's
 * first, as in `periodAt`.
 */
export async function setDaysFrom(tx: Db, users: readonly UserKey[], days: number, from: Date): Promise<void> {
  await sql`
    update usage_period p set ends_at = p.starts_at + ${days}::int * interval '24 hours'
    from usage_user u join ${keyRows(users)} using (app_key, user_id)
    where p.app_key = u.app_key and p.user_id = u.user_id
      and (p.starts_at > ${from} or (p.starts_at = ${from} and p.starts_at = u.anchor))`.execute(tx)
}

/** Returns the days from `first` to `last` on which a user had tasks, oldest first. Days are counted from 1970-01-01, in UTC. */
export async function readDays(
  db: Db,
  { appKey, userId }: UserKey,
  first: number,
  last: number,
): Promise<{ readonly day: number; readonly consumed: number }[]> {
  const { rows } = await sql<{ day: number; consumed: string }>`
    select day - date '1970-01-01' as day, consumed from usage_day
    where app_key = ${appKey} and user_id = ${userId}
      and day between date '1970-01-01' + ${first}::int and date '1970-01-01' + ${last}::int
    order by day`.execute(db)
  return rows.map(({ day, consumed }) => ({ day, consumed: Number(consumed) }))
}

type UserTasks = { readonly app_key: string; readonly user_id: string; readonly tasks: number }

/**
 * Returns the tasks of the users of applications, also deleted ones, from `first` to before `until`, UTC days such as 2026-10-01: at most `limit`
 * users, by App-Key and id, after the user `after`.
 */
export async function readTasksBetween(
  db: Db,
  appKeys: readonly string[],
  days: { readonly first: string; readonly until: string },
  after: UserKey,
  limit: number,
): Promise<UserTasks[]> {
  const { rows } = await sql<Omit<UserTasks, 'tasks'> & { tasks: string }>`
    select app_key, user_id, sum(consumed)::text as tasks from usage_day
    where app_key = any(${appKeys}) and (app_key, user_id) > (${after.appKey}, ${after.userId})
      and day >= ${days.first}::date and day < ${days.until}::date
    group by app_key, user_id order by app_key, user_id limit ${limit}`.execute(db)
  return rows.map(({ tasks, ...user }) => ({ ...user, tasks: Number(tasks) }))
}

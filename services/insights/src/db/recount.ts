import { firstUuidAt, type UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'
import { keyRows } from './users.ts'

/** A user who has a counted task, with the time from which the user's periods are counted. */
export type Anchored = UserKey & { readonly anchor: Date }

/** Tasks of one user. `nth` counts days of 24 hours from the anchor; `day` counts UTC days from 1970-01-01. */
type TaskCount = UserKey & { readonly nth: number; readonly day: number; readonly tasks: number }

/** Returns the next users who have a counted task, of one application or of all, in the order of their keys. */
export async function pageAnchored(db: Db, appKey: string | undefined, after: UserKey, size: number): Promise<Anchored[]> {
  let query = db.selectFrom('usage_user').select(['app_key', 'user_id', 'anchor']).where('anchor', 'is not', null)
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  const rows = await query
    .where(sql<boolean>`(app_key, user_id) > (${after.appKey}, ${after.userId})`)
    .orderBy('app_key')
    .orderBy('user_id')
    .limit(size)
    .execute()
  return rows.flatMap(({ app_key, user_id, anchor }) => (anchor === null ? [] : [{ appKey: app_key, userId: user_id, anchor }]))
}

/** Events whose ids were created from `from` (inclusive) to `to` (exclusive). Null: no bound. */
export type Slice = { readonly from: Date | null; readonly to: Date | null }

/**
 * Counts the events of users in a slice. Events of the last `graceMs` before the anchor belong to the day that begins at the anchor.
 * Runs on `slowDb`, a slice at a time.
 */
export async function countTasks(db: Db, users: readonly Anchored[], graceMs: number, { from, to }: Slice): Promise<TaskCount[]> {
  const after = from === null ? sql`true` : sql`e.id >= ${firstUuidAt(from)}::uuid`
  const before = to === null ? sql`true` : sql`e.id < ${firstUuidAt(to)}::uuid`
  const grace = sql`${graceMs}::float8 * interval '1 millisecond'`
  const { rows } = await sql<{ app_key: string; user_id: string; nth: number; day: number; tasks: string }>`
    select app_key, user_id,
      floor(extract(epoch from case when e.occurred_at between u.anchor - ${grace} and u.anchor then u.anchor else e.occurred_at end - u.anchor)
        / 86400)::int as nth,
      (e.occurred_at at time zone 'UTC')::date - date '1970-01-01' as day, count(*) as tasks
    from unnest(
      ${users.map((user) => user.appKey)}::text[], ${users.map((user) => user.userId)}::text[], ${users.map((user) => user.anchor)}::timestamptz[]
    ) as u (app_key, user_id, anchor)
    join task_event e using (app_key, user_id)
    where ${after} and ${before}
    group by app_key, user_id, nth, day`.execute(db)
  return rows.map((row) => ({ appKey: row.app_key, userId: row.user_id, nth: row.nth, day: row.day, tasks: Number(row.tasks) }))
}

export type StoredPeriod = UserKey & { readonly startsAt: Date; readonly endsAt: Date; readonly consumed: number }
export type StoredDay = UserKey & { readonly day: number; readonly consumed: number }

export async function readPeriods(db: Db, users: readonly UserKey[]): Promise<StoredPeriod[]> {
  const { rows } = await sql<{ app_key: string; user_id: string; starts_at: Date; ends_at: Date; consumed: string }>`
    select app_key, user_id, starts_at, ends_at, consumed from usage_period
    where (app_key, user_id) in (select * from ${keyRows(users)})`.execute(db)
  return rows.map((row) => ({
    appKey: row.app_key,
    userId: row.user_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    consumed: Number(row.consumed),
  }))
}

export async function readStoredDays(db: Db, users: readonly UserKey[]): Promise<StoredDay[]> {
  const { rows } = await sql<{ app_key: string; user_id: string; day: number; consumed: string }>`
    select app_key, user_id, day - date '1970-01-01' as day, consumed from usage_day
    where (app_key, user_id) in (select * from ${keyRows(users)})`.execute(db)
  return rows.map((row) => ({ appKey: row.app_key, userId: row.user_id, day: row.day, consumed: Number(row.consumed) }))
}

/** Sets the ends of existing periods. */
export async function setEnds(tx: Db, periods: readonly StoredPeriod[]): Promise<void> {
  await sql`
    update usage_period p set ends_at = made.ends_at
    from unnest(
      ${periods.map((each) => each.appKey)}::text[], ${periods.map((each) => each.userId)}::text[],
      ${periods.map((each) => each.startsAt)}::timestamptz[], ${periods.map((each) => each.endsAt)}::timestamptz[]
    ) as made (app_key, user_id, starts_at, ends_at)
    where p.app_key = made.app_key and p.user_id = made.user_id and p.starts_at = made.starts_at`.execute(tx)
}

/** Sets the ends and consumed tasks of periods, and inserts missing ones. Levels of existing periods do not change. */
export async function setPeriods(tx: Db, periods: readonly StoredPeriod[]): Promise<void> {
  await sql`
    insert into usage_period (app_key, user_id, starts_at, ends_at, consumed)
    select * from unnest(
      ${periods.map((each) => each.appKey)}::text[], ${periods.map((each) => each.userId)}::text[],
      ${periods.map((each) => each.startsAt)}::timestamptz[], ${periods.map((each) => each.endsAt)}::timestamptz[],
      ${periods.map((each) => each.consumed)}::bigint[]
    )
    on conflict (app_key, user_id, starts_at) do update set consumed = excluded.consumed, ends_at = excluded.ends_at`.execute(tx)
}

export async function setDays(tx: Db, days: readonly StoredDay[]): Promise<void> {
  await sql`
    insert into usage_day (app_key, user_id, day, consumed)
    select app_key, user_id, date '1970-01-01' + day, consumed from unnest(
      ${days.map((each) => each.appKey)}::text[], ${days.map((each) => each.userId)}::text[],
      ${days.map((each) => each.day)}::int[], ${days.map((each) => each.consumed)}::bigint[]
    ) as made (app_key, user_id, day, consumed)
    on conflict (app_key, user_id, day) do update set consumed = excluded.consumed`.execute(tx)
}

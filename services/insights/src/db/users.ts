import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/**
 * `ownLimit` is the newest limit that was applied to the user, and `limitSeq` its number. The workspace's bulk limit replaces it if its
 * number is higher. `anchor` is the time from which the user's periods are counted, or null before the first task.
 */
export type User = UserKey & { readonly ownLimit: number | null; readonly limitSeq: number; readonly anchor: Date | null }

type Row = { app_key: string; user_id: string; task_limit: string | null; limit_seq: string; anchor: Date | null }

function userOf(row: Row): User {
  return {
    appKey: row.app_key,
    userId: row.user_id,
    ownLimit: row.task_limit === null ? null : Number(row.task_limit),
    limitSeq: Number(row.limit_seq),
    anchor: row.anchor,
  }
}

/** Returns one text for both parts of a key. Neither part can hold NUL. */
export function keyText({ appKey, userId }: UserKey): string {
  return `${appKey}\0${userId}`
}

/** Returns keys as a table expression `key (app_key, user_id)`. */
export function keyRows(keys: readonly UserKey[]) {
  return sql`unnest(${keys.map((key) => key.appKey)}::text[], ${keys.map((key) => key.userId)}::text[]) as key (app_key, user_id)`
}

/** Returns the given users that do not exist. */
export async function findMissingUsers(db: Db, keys: readonly UserKey[]): Promise<UserKey[]> {
  const { rows } = await sql<Row>`
    select app_key, user_id from ${keyRows(keys)}
    where not exists (select from usage_user u where u.app_key = key.app_key and u.user_id = key.user_id)`.execute(db)
  return rows.map((row) => ({ appKey: row.app_key, userId: row.user_id }))
}

/** Returns when a user was first seen: its first task was counted, or its limit was set. Undefined if there is no such user. */
export async function findFirstSeen(db: Db, { appKey, userId }: UserKey): Promise<Date | undefined> {
  const row = await db
    .selectFrom('usage_user')
    .select('created_at')
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.created_at
}

/** Inserts the users that do not exist yet. */
export async function insertUsers(tx: Db, users: readonly Omit<User, 'anchor'>[]): Promise<void> {
  await sql`
    insert into usage_user (app_key, user_id, task_limit, limit_seq)
    select * from ${limitRows(users)} order by app_key, user_id
    on conflict do nothing`.execute(tx)
}

/**
 * Sets the own limits of users and inserts missing users. The rows stay locked until the transaction ends.
 * A request sets at most 10,000 users.
 */
export async function setOwnLimits(tx: Db, users: readonly Omit<User, 'anchor'>[]): Promise<void> {
  await sql`
    insert into usage_user (app_key, user_id, task_limit, limit_seq)
    select * from ${limitRows(users)} order by app_key, user_id
    on conflict (app_key, user_id) do update set task_limit = excluded.task_limit, limit_seq = excluded.limit_seq`.execute(tx)
}

function limitRows(users: readonly Omit<User, 'anchor'>[]) {
  return sql`unnest(
    ${users.map((user) => user.appKey)}::text[], ${users.map((user) => user.userId)}::text[],
    ${users.map((user) => user.ownLimit)}::bigint[], ${users.map((user) => user.limitSeq)}::bigint[]
  ) as made (app_key, user_id, task_limit, limit_seq)`
}

/** Locks users in the order of their keys. Every transaction uses this order, so that no deadlock occurs. */
export async function lockUsers(tx: Db, keys: readonly UserKey[]): Promise<User[]> {
  const { rows } = await sql<Row>`
    select app_key, user_id, task_limit, limit_seq, anchor from usage_user
    where (app_key, user_id) in (select * from ${keyRows(keys)})
    order by app_key, user_id for update`.execute(tx)
  return rows.map(userOf)
}

/**
 * Locks the users of an application who have a period that begins at the start of this transaction or later. Such periods exist when a
 * clock is ahead, or when this transaction waited for a lock. The index `usage_period_start` finds them, and they are few.
 */
export async function lockUsersAhead(tx: Db, appKey: string): Promise<User[]> {
  const { rows } = await sql<Row>`
    select app_key, user_id, task_limit, limit_seq, anchor from usage_user
    where app_key = ${appKey} and user_id in (select user_id from usage_period where app_key = ${appKey} and starts_at >= date_trunc('milliseconds', now()))
    order by app_key, user_id for update`.execute(tx)
  return rows.map(userOf)
}

/**
 * Locks the next users of a workspace, in the order of their keys. Includes users without a task: another transaction may be counting their
 * first one, and a condition on `anchor` would not see that yet. A page has at most 500 users and 20,000 deliveries.
 */
export async function lockNextUsers(tx: Db, workspaceId: string, after: UserKey, size: number): Promise<User[]> {
  const { rows } = await sql<Row>`
    select app_key, user_id, task_limit, limit_seq, anchor from usage_user
    where app_key in (select app_key from application where workspace_id = ${workspaceId})
      and (app_key, user_id) > (${after.appKey}, ${after.userId})
    order by app_key, user_id limit ${size} for update`.execute(tx)
  return rows.map(userOf)
}

export async function setAnchors(tx: Db, anchors: readonly (UserKey & { readonly anchor: Date })[]): Promise<void> {
  if (anchors.length === 0) return
  await sql`
    update usage_user u set anchor = made.anchor
    from unnest(
      ${anchors.map((made) => made.appKey)}::text[], ${anchors.map((made) => made.userId)}::text[],
      ${anchors.map((made) => made.anchor)}::timestamptz[]
    ) as made (app_key, user_id, anchor)
    where u.app_key = made.app_key and u.user_id = made.user_id`.execute(tx)
}

/**
 * Sets the default limit of the workspace for users of an application who have no limit yet.
 * Runs on `slowDb`: takes 16 s for a million users, and sets all limits or none.
 */
export async function setMissingLimits(tx: Db, appKey: string, limit: number, limitSeq: number): Promise<void> {
  await tx
    .updateTable('usage_user')
    .set({ task_limit: limit, limit_seq: limitSeq })
    .where('app_key', '=', appKey)
    .where('task_limit', 'is', null)
    .execute()
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

export type Workspace = {
  readonly id: string
  readonly name: string
  readonly defaultLimit: number
  readonly bulkLimit: number | null
  readonly bulkSeq: number
  readonly limitSeq: number
  /** How many requests the workspace may send in a minute. */
  readonly rateLimit: number
  readonly createdAt: Date
}

type WorkspaceRow = {
  id: string
  name: string
  default_limit: string
  bulk_limit: string | null
  bulk_seq: string
  limit_seq: string
  rate_limit: number
  created_at: Date
}

function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    defaultLimit: Number(row.default_limit),
    bulkLimit: row.bulk_limit === null ? null : Number(row.bulk_limit),
    bulkSeq: Number(row.bulk_seq),
    limitSeq: Number(row.limit_seq),
    rateLimit: row.rate_limit,
    createdAt: row.created_at,
  }
}

/** Inserts a workspace, with the default rate limit if none is given. Returns false when one with this id exists. */
export async function insertWorkspace(db: Db, id: string, { name, rateLimit }: WorkspaceChange): Promise<boolean> {
  const inserted = await db
    .insertInto('workspace')
    .values({ id, name, rate_limit: rateLimit })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Kysely leaves undefined fields out of an insert or update. */
type WorkspaceChange = { readonly name: string; readonly rateLimit: number | undefined }

/** Returns false when there is no such workspace, or it is deleted. */
export async function changeWorkspace(db: Db, id: string, { name, rateLimit }: WorkspaceChange): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('workspace')
    .set({ name, rate_limit: rateLimit })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Deletes the API keys and subscriptions of a workspace and marks it as deleted. Its row stays, because applications refer to it. Returns the
 * number of subscriptions. The caller must hold the workspace's lock. The number of subscriptions of a workspace is limited.
 */
export async function deleteWorkspace(tx: Db, id: string): Promise<number> {
  await tx.updateTable('workspace').set({ deleted_at: sql<Date>`coalesce(deleted_at, now())` }).where('id', '=', id).execute()
  await tx.deleteFrom('workspace_key').where('workspace_id', '=', id).execute()
  const { numDeletedRows } = await tx.deleteFrom('subscription').where('workspace_id', '=', id).executeTakeFirst()
  return Number(numDeletedRows)
}

export async function listWorkspaces(db: Db): Promise<Workspace[]> {
  return (await db.selectFrom('workspace').selectAll().where('deleted_at', 'is', null).orderBy('id').execute()).map(workspaceOf)
}

export async function findWorkspace(db: Db, id: string): Promise<Workspace | undefined> {
  const row = await db.selectFrom('workspace').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
  return row && workspaceOf(row)
}

/** Returns workspaces and takes a share lock on them: until the transaction ends, their limits cannot change. */
export async function shareWorkspaces(tx: Db, ids: readonly string[]): Promise<Map<string, Workspace>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.selectFrom('workspace').selectAll().where('id', 'in', ids).orderBy('id').forShare().execute()
  return new Map(rows.map((row) => [row.id, workspaceOf(row)]))
}

/** Locks a workspace before a change of its limits, keys or subscriptions. */
export async function lockWorkspace(tx: Db, id: string): Promise<(Workspace & { readonly isDeleted: boolean }) | undefined> {
  const row = await tx.selectFrom('workspace').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row && { ...workspaceOf(row), isDeleted: row.deleted_at !== null }
}

/** Increments `limit_seq`, which also locks the workspace. Returns the updated workspace. */
export async function nextLimitSeq(tx: Db, id: string): Promise<Workspace> {
  const row = await tx
    .updateTable('workspace')
    .set({ limit_seq: sql`limit_seq + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return workspaceOf(row)
}

/** Maximum number of users that setting limits creates on a day, in UTC. */
export const MAX_NEW_USERS = 1_000_000

/** Counts users that were created because their limits were set. Returns false if there are more than `MAX_NEW_USERS` today; then counts none. */
export async function countNewUsers(tx: Db, id: string, users: number): Promise<boolean> {
  const { rows } = await sql`
    update workspace w set new_users = t.new_users, new_users_on = t.today
    from (
      select today, ${users}::int + case when new_users_on = today then new_users else 0 end as new_users
      from workspace, (select (now() at time zone 'utc')::date as today) d where id = ${id}
    ) t
    where w.id = ${id} and t.new_users <= ${MAX_NEW_USERS} returning w.id`.execute(tx)
  return rows.length > 0
}

/** Sets the bulk limit of a workspace. It applies to all users whose `limit_seq` is lower than the new `bulk_seq`. Returns `bulk_seq`. */
export async function setBulkLimit(tx: Db, id: string, limit: number): Promise<number> {
  const next = sql<number>`limit_seq + 1`
  const row = await tx
    .updateTable('workspace')
    .set({ bulk_limit: limit, bulk_seq: next, limit_seq: next })
    .where('id', '=', id)
    .returning('bulk_seq')
    .executeTakeFirstOrThrow()
  return Number(row.bulk_seq)
}

export async function setDefaultLimit(db: Db, id: string, limit: number): Promise<void> {
  await db.updateTable('workspace').set({ default_limit: limit }).where('id', '=', id).execute()
}

/**
 * A change of limits that is pending for the users with a lower `limitSeq`. `limit` is the limit that was set for all users of a workspace.
 * Null: users keep their limits, but their levels are checked. `at` is when the change was made, in milliseconds since 1970.
 */
export type LimitChange = { readonly limit: number | null; readonly limitSeq: number; readonly at: number }

/** The pending limit changes of the query's `workspace`, in order. */
const LIMIT_CHANGES = sql<LimitChange[]>`(
  select coalesce(json_agg(json_build_object(
    'limit', c.task_limit, 'limitSeq', c.limit_seq, 'at', floor(extract(epoch from c.created_at) * 1000)
  ) order by c.limit_seq), '[]')
  from limit_change c where c.workspace_id = workspace.id)`

/** The workspace of an application with its pending limit changes, and whether the application blocks users at their limit. */
export type OwningWorkspace = Workspace & { readonly blocks: boolean; readonly limitChanges: readonly LimitChange[] }

/** Returns the workspaces of applications by App-Key. An application without a workspace is left out. */
export async function readOwningWorkspaces(db: Db, appKeys: readonly string[]): Promise<Map<string, OwningWorkspace>> {
  const rows = await db
    .selectFrom('application')
    .innerJoin('workspace', 'workspace.id', 'application.workspace_id')
    .selectAll('workspace')
    .select(['app_key', 'on_limit', LIMIT_CHANGES.as('limit_changes')])
    .where('app_key', 'in', appKeys)
    .execute()
  return new Map(
    rows.map((row) => [row.app_key, { ...workspaceOf(row), blocks: row.on_limit === 'block', limitChanges: row.limit_changes }]),
  )
}

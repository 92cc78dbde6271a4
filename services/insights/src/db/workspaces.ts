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
 * number of subscriptions. The caller must hold the workspace's lock.
 */
export async function deleteWorkspace(tx: Db, id: string): Promise<number> {
  await tx.updateTable('workspace').set({ deleted_at: sql<Date>`coalesce(deleted_at, now())` }).where('id', '=', id).execute()
  await tx.deleteFrom('workspace_key').where('workspace_id', '=', id).execute()
  const { numDeletedRows } = await tx.deleteFrom('subscription').where('workspace_id', '=', id).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns whether there is a workspace that is not deleted. */
export async function workspaceExists(db: Db, id: string): Promise<boolean> {
  if (id.includes('\0')) return false
  const row = await db.selectFrom('workspace').select('id').where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
  return row !== undefined
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

export type OnLimit = 'allow' | 'block'

export type Application = {
  readonly appKey: string
  readonly workspaceId: string | null
  readonly limitPeriods: readonly { readonly days: number; readonly from: Date | null }[]
  /** Whether users at their limit are blocked. To decide, read it after locking the user. */
  readonly onLimit: OnLimit
}

/** An application that is assigned to a workspace, with the workspace's bulk limit. */
export type AssignedApplication = Application & { readonly bulkLimit: number | null; readonly bulkSeq: number }

export type ApplicationRow = {
  app_key: string
  workspace_id: string | null
  limit_periods: { days: number; from: string | null }[]
  on_limit: OnLimit
}
export type AssignedRow = ApplicationRow & { bulk_limit: string | null; bulk_seq: string }

export function applicationOf(row: ApplicationRow): Application {
  const limitPeriods = row.limit_periods.map(({ days, from }) => ({ days, from: from === null ? null : new Date(from) }))
  return { appKey: row.app_key, workspaceId: row.workspace_id, limitPeriods, onLimit: row.on_limit }
}

export function assignedOf(row: AssignedRow): AssignedApplication {
  return { ...applicationOf(row), bulkLimit: row.bulk_limit === null ? null : Number(row.bulk_limit), bulkSeq: Number(row.bulk_seq) }
}

/** Returns an application of a workspace that is not deleted. */
export async function findApplication(db: Db, workspaceId: string, appKey: string): Promise<AssignedApplication | undefined> {
  const row = await db
    .selectFrom('application')
    .innerJoin('workspace', 'workspace.id', 'application.workspace_id')
    .select(['app_key', 'workspace_id', 'limit_periods', 'on_limit', 'bulk_limit', 'bulk_seq'])
    .where('app_key', '=', appKey)
    .where('workspace_id', '=', workspaceId)
    .where('application.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && assignedOf(row)
}

/**
 * Returns the workspace of an application, also of a deleted one; null if it has none yet, and undefined for an unknown App-Key.
 */
export async function findWorkspaceOf(db: Db, appKey: string): Promise<string | null | undefined> {
  if (appKey.includes('\0')) return undefined
  const row = await db.selectFrom('application').select('workspace_id').where('app_key', '=', appKey).executeTakeFirst()
  return row === undefined ? undefined : row.workspace_id
}

export async function readApplications(db: Db, appKeys: readonly string[]): Promise<Application[]> {
  return (await db.selectFrom('application').selectAll().where('app_key', 'in', appKeys).execute()).map(applicationOf)
}

/** Returns, by App-Key, those of the applications that block users, or whose users have rows in `blocking`. */
export async function readBlockingApplications(db: Db, appKeys: readonly string[]): Promise<Map<string, AssignedApplication>> {
  const { rows } = await sql<AssignedRow>`
    select a.app_key, a.workspace_id, a.limit_periods, a.on_limit, w.bulk_limit, w.bulk_seq
    from application a join workspace w on w.id = a.workspace_id
    where a.app_key = any(${appKeys}::text[])
      and (a.on_limit = 'block' or exists (select from blocking b where b.app_key = a.app_key))`.execute(db)
  return new Map(rows.map((row) => [row.app_key, assignedOf(row)]))
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

/** Inserts the applications that do not exist yet, without a workspace. */
export async function addApplications(db: Db, appKeys: readonly string[], days: number): Promise<void> {
  const first = JSON.stringify([{ days, from: null }])
  await sql`
    insert into application (app_key, limit_periods)
    select key, ${first}::jsonb from unnest(${appKeys}::text[]) key order by key
    on conflict do nothing`.execute(db)
}

/**
 * Returns applications and takes a share lock on them: until the transaction ends, they cannot be provisioned. Does not wait for a
 * transaction that itself waits to provision one. A key share lock would not be enough, because provisioning changes no key.
 */
export async function shareApplications(tx: Db, appKeys: readonly string[]): Promise<Application[]> {
  const rows = await tx.selectFrom('application').selectAll().where('app_key', 'in', appKeys).orderBy('app_key').forShare().execute()
  return rows.map(applicationOf)
}

/** Returns the App-Keys of applications of a workspace that are not deleted: at most ten. */
export async function selectAppKeys(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('application')
    .select('app_key')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('app_key')
    .limit(10)
    .execute()
  return rows.map((row) => row.app_key)
}

export async function lockApplication(tx: Db, appKey: string): Promise<Application & { readonly isDeleted: boolean }> {
  const row = await tx.selectFrom('application').selectAll().where('app_key', '=', appKey).forNoKeyUpdate().executeTakeFirstOrThrow()
  return { ...applicationOf(row), isDeleted: row.deleted_at !== null }
}

/** Marks an application as deleted. Returns false if it does not exist. */
export async function deleteApplication(db: Db, appKey: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('application')
    .set({ deleted_at: sql<Date>`coalesce(deleted_at, now())` })
    .where('app_key', '=', appKey)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function assignApplication(tx: Db, appKey: string, workspaceId: string): Promise<void> {
  await tx.updateTable('application').set({ workspace_id: workspaceId }).where('app_key', '=', appKey).execute()
}

export async function setOnLimit(tx: Db, appKey: string, onLimit: OnLimit): Promise<void> {
  await tx.updateTable('application').set({ on_limit: onLimit }).where('app_key', '=', appKey).execute()
}

/**
 * Adds a length of the limit period. It applies from the start of the transaction or of the previous length, whichever is later. Returns
 * that time. The application must be locked.
 */
export async function addLimitPeriod(tx: Db, appKey: string, days: number): Promise<Date> {
  const { rows } = await sql<{ from: Date }>`
    update application
    set limit_periods = limit_periods || jsonb_build_array(jsonb_build_object(
      'days', ${days}::int, 'from', greatest(date_trunc('milliseconds', now()), (limit_periods->-1->>'from')::timestamptz)))
    where app_key = ${appKey}
    returning (limit_periods->-1->>'from')::timestamptz as from`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a locked application does not exist')
  return row.from
}

/** Returns the longest limit period that any application has or had, in days. */
export async function longestPeriod(db: Db): Promise<number> {
  const { rows } = await sql<{ days: number | null }>`
    select max((period->>'days')::int) as days from application, jsonb_array_elements(limit_periods) period`.execute(db)
  return rows[0]?.days ?? 0
}

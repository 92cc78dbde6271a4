import { isStorable } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

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

type ApplicationRow = {
  app_key: string
  workspace_id: string | null
  limit_periods: { days: number; from: string | null }[]
  on_limit: OnLimit
}
type AssignedRow = ApplicationRow & { bulk_limit: string | null; bulk_seq: string }

function applicationOf(row: ApplicationRow): Application {
  const limitPeriods = row.limit_periods.map(({ days, from }) => ({ days, from: from === null ? null : new Date(from) }))
  return { appKey: row.app_key, workspaceId: row.workspace_id, limitPeriods, onLimit: row.on_limit }
}

function assignedOf(row: AssignedRow): AssignedApplication {
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
  if (!isStorable(appKey)) return undefined
  const row = await db.selectFrom('application').select('workspace_id').where('app_key', '=', appKey).executeTakeFirst()
  return row === undefined ? undefined : row.workspace_id
}

export async function readApplications(db: Db, appKeys: readonly string[]): Promise<Application[]> {
  return (await db.selectFrom('application').selectAll().where('app_key', 'in', appKeys).execute()).map(applicationOf)
}

/** Returns, by App-Key, the given applications that block users, or whose users have rows in `blocking`. */
export async function readBlockingApplications(db: Db, appKeys: readonly string[]): Promise<Map<string, AssignedApplication>> {
  const { rows } = await sql<AssignedRow>`
    select a.app_key, a.workspace_id, a.limit_periods, a.on_limit, w.bulk_limit, w.bulk_seq
    from application a join workspace w on w.id = a.workspace_id
    where a.app_key = any(${appKeys}::text[])
      and (a.on_limit = 'block' or exists (select from blocking b where b.app_key = a.app_key))`.execute(db)
  return new Map(rows.map((row) => [row.app_key, assignedOf(row)]))
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

export type ListedApplication = Application & { readonly embedOrigins: readonly string[]; readonly createdAt: Date }

/**
 * Returns the applications of a workspace that are not deleted, in the order of their App-Keys. Null: all applications, for
 * operators.
 */
export async function listApplications(db: Db, workspaceId: string | null): Promise<ListedApplication[]> {
  let query = db.selectFrom('application').selectAll().where('deleted_at', 'is', null)
  if (workspaceId !== null) query = query.where('workspace_id', '=', workspaceId)
  const rows = await query.orderBy('app_key').execute()
  return rows.map((row) => ({ ...applicationOf(row), embedOrigins: row.embed_origins, createdAt: row.created_at }))
}

/** Returns the origins of pages that may show embedded pages of an application in a frame. */
export async function readEmbedOrigins(db: Db, appKey: string): Promise<string[]> {
  const row = await db.selectFrom('application').select('embed_origins').where('app_key', '=', appKey).executeTakeFirst()
  return row?.embed_origins ?? []
}

export async function setEmbedOrigins(tx: Db, appKey: string, origins: readonly string[]): Promise<void> {
  await tx
    .updateTable('application')
    .set({ embed_origins: [...origins] })
    .where('app_key', '=', appKey)
    .execute()
}

/** An application with the default limit of its workspace. */
export type ApplicationWithDefault = AssignedApplication & { readonly workspaceId: string; readonly defaultLimit: number }

/** Returns an application of a workspace that is not deleted. */
export async function findAssigned(db: Db, workspaceId: string, appKey: string): Promise<ApplicationWithDefault | undefined> {
  const row = await db
    .selectFrom('application')
    .innerJoin('workspace', 'workspace.id', 'application.workspace_id')
    .select(['app_key', 'workspace.id as workspace_id', 'limit_periods', 'on_limit', 'bulk_limit', 'bulk_seq', 'default_limit'])
    .where('app_key', '=', appKey)
    .where('workspace.id', '=', workspaceId)
    .where('application.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { ...assignedOf(row), workspaceId: row.workspace_id, defaultLimit: Number(row.default_limit) }
}

/** Returns the App-Keys of all applications that a workspace has or had. */
export async function selectAllAppKeys(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId).execute()
  return rows.map((row) => row.app_key)
}

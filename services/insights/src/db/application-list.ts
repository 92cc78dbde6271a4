import type { Db } from './tables.ts'
import { type Application, type AssignedApplication, applicationOf, assignedOf } from './workspaces.ts'

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

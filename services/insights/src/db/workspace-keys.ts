import { sql } from 'kysely'
import type { Db } from './tables.ts'

export async function insertWorkspaceKey(db: Db, workspaceId: string, sha256: Buffer): Promise<void> {
  await db.insertInto('workspace_key').values({ sha256, workspace_id: workspaceId }).execute()
}

/** Returns the workspace whose valid key has this digest, and how many requests it may send in a minute. */
export async function findWorkspaceOfKey(db: Db, sha256: Buffer): Promise<{ id: string; rateLimit: number } | undefined> {
  const row = await db
    .selectFrom('workspace_key')
    .innerJoin('workspace', 'workspace.id', 'workspace_key.workspace_id')
    .select(['workspace.id', 'workspace.rate_limit as rateLimit'])
    .where('sha256', '=', sha256)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  return row
}

/** Makes all keys of a workspace expire after a number of hours, unless they expire sooner. Returns the time of expiry. */
export async function expireWorkspaceKeys(tx: Db, workspaceId: string, hours: number): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    with term as (select now() + ${hours}::float8 * interval '1 hour' as until),
    expired as (
      update workspace_key set expires_at = term.until from term
      where workspace_id = ${workspaceId} and (expires_at is null or expires_at > term.until)
    )
    select until from term`.execute(tx)
  return rows[0]?.until ?? new Date()
}

/** The times of an API key. `expiresAt` is null for the current one. */
export type KeyTimes = { readonly createdAt: Date; readonly expiresAt: Date | null }

/** Returns the times of the valid keys of a workspace, newest first. */
export async function listWorkspaceKeys(db: Db, workspaceId: string): Promise<KeyTimes[]> {
  return await db
    .selectFrom('workspace_key')
    .select(['created_at as createdAt', 'expires_at as expiresAt'])
    .where('workspace_id', '=', workspaceId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at', 'desc')
    .execute()
}

/** Deletes the keys of a workspace that a rotation has replaced, and those that have expired. */
export async function deletePreviousKeys(db: Db, workspaceId: string): Promise<void> {
  await db.deleteFrom('workspace_key').where('workspace_id', '=', workspaceId).where('expires_at', 'is not', null).execute()
}

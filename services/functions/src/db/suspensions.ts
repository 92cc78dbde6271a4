import type { Suspension, SuspensionState } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** What can be suspended: a workspace, an application of it, or a user of that. */
export type Suspended = { readonly workspaceId: string; readonly appKey: string | undefined; readonly userId: string | undefined }

/** The state of one user, or of all users of an application if `user_id` is null. */
export type ServedSuspension = Pick<Suspension, 'user_id' | 'state' | 'reason'>

/** Every request may read all suspensions of its application. */
const MAX_USERS = 1_000

/** The suspensions that concern an application, in a query of the application. */
export const suspensionsOfApplication = sql<readonly ServedSuspension[]>`(
  select coalesce(json_agg(json_build_object('user_id', nullif(user_id, ''), 'state', state, 'reason', reason)), '[]')
  from suspension where suspension.workspace_id = application.workspace_id and suspension.app_key in ('', application.app_key))`

/** Returns the suspensions of a workspace, or of all. With an App-Key, those that concern this application. */
export async function readSuspensions(db: Db, workspaceId: string | undefined, appKey?: string): Promise<Suspension[]> {
  let query = db.selectFrom('suspension').selectAll().orderBy('workspace_id').orderBy('app_key').orderBy('user_id')
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId)
  if (appKey !== undefined) query = query.where('app_key', 'in', ['', appKey])
  return (await query.execute()).map((row) => ({
    ...row,
    app_key: row.app_key || null,
    user_id: row.user_id || null,
    suspended_at: row.suspended_at.toISOString(),
  }))
}

/** Returns the suspension of exactly this, and locks it until the end of the transaction; undefined if it is not suspended. */
export async function lockSuspension(tx: Db, of: Suspended): Promise<Selectable<Tables['suspension']> | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['suspension', of.workspaceId])}, 0))`.execute(tx)
  return await tx.selectFrom('suspension').selectAll().where(isOf(of)).executeTakeFirst()
}

export async function endSuspension(tx: Db, of: Suspended): Promise<void> {
  await tx.deleteFrom('suspension').where(isOf(of)).execute()
}

/** Stores a suspension. Throws `too_many_suspensions` if the application already has 1,000 suspended users. */
export async function storeSuspension(
  tx: Db,
  { workspaceId, appKey = '', userId = '' }: Suspended,
  values: { readonly state: SuspensionState; readonly reason: string; readonly by_operator: boolean },
): Promise<void> {
  const row = { workspace_id: workspaceId, app_key: appKey, user_id: userId, ...values }
  const changed = { ...values, suspended_at: sql<Date>`now()` }
  await tx
    .insertInto('suspension')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'app_key', 'user_id']).doUpdateSet(changed))
    .execute()
  if (userId === '') return
  const { rows } = await sql`
    select from suspension where workspace_id = ${workspaceId} and app_key = ${appKey} and user_id <> '' limit ${MAX_USERS + 1}`.execute(tx)
  if (rows.length > MAX_USERS) throw new Refusal('too_many_suspensions', `at most ${MAX_USERS} users of an application can be suspended`)
}

function isOf({ workspaceId, appKey = '', userId = '' }: Suspended) {
  return sql<boolean>`workspace_id = ${workspaceId} and app_key = ${appKey} and user_id = ${userId}`
}

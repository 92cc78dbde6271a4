import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Counts the accounts of a workspace or of an application, or all accounts, by app. Broken ones are not active. */
export async function countAccounts(
  db: Db,
  owner: { readonly workspaceId?: string | undefined; readonly appKey?: string | undefined },
): Promise<ReadonlyMap<string, { readonly accounts: number; readonly broken: number }>> {
  let query = db
    .selectFrom('connected_account')
    .select(['app', sql<number>`count(*)::int`.as('accounts'), sql<number>`count(*) filter (where status <> 'active')::int`.as('broken')])
    .groupBy('app')
  const { workspaceId, appKey } = owner
  if (workspaceId !== undefined) {
    query = query.where('app_key', 'in', (own) => own.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId))
  }
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  return new Map((await query.execute()).map(({ app, ...counts }) => [app, counts]))
}

/** Counts the accounts of a workspace, or of all workspaces, that are not active, by app and status. */
export async function countBrokenAccounts(
  db: Db,
  workspaceId: string | undefined,
): Promise<{ app: string; status: 'expired' | 'reconnect_required'; accounts: number }[]> {
  let query = db
    .selectFrom('connected_account')
    .select(['app', sql<'expired' | 'reconnect_required'>`status`.as('status'), sql<number>`count(*)::int`.as('accounts')])
    .where('status', '<>', 'active')
    .groupBy(['app', 'status'])
    .orderBy('app')
    .orderBy('status')
  if (workspaceId !== undefined) {
    query = query.where('app_key', 'in', (own) => own.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId))
  }
  return await query.execute()
}

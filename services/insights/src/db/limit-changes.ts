import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'
import type { LimitChange } from './workspaces.ts'

/**
 * Progress of the background work in a workspace, stored in its oldest limit change: the limit changes up to `lastSeq` are applied to all
 * users up to `after`.
 */
export type Progress = {
  readonly id: string
  readonly workspaceId: string
  readonly lastSeq: string
  readonly after: UserKey
}

/**
 * Stores a limit change with the current time. The start of the transaction would be too early, because it may have waited for the
 * workspace's lock.
 */
export async function insertLimitChange(tx: Db, workspaceId: string, { limit, limitSeq }: Omit<LimitChange, 'at'>): Promise<void> {
  await tx
    .insertInto('limit_change')
    .values({ workspace_id: workspaceId, task_limit: limit, limit_seq: limitSeq, created_at: sql<Date>`clock_timestamp()` })
    .execute()
}

export async function countLimitChanges(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('limit_change')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Returns the number of pending limit changes of all workspaces, counted up to `max`, and the time of the oldest. */
export async function measureLimitChanges(db: Db, max: number): Promise<{ value: number; since: Date | null }> {
  const { rows } = await sql<{ value: number; since: Date | null }>`
    select count(*)::int as value, min(created_at) as since from (select created_at from limit_change order by id limit ${max}) counted`.execute(
    db,
  )
  return rows[0] ?? { value: 0, since: null }
}

/**
 * Picks the workspace that has waited longest for a page, and returns the id of its oldest limit change. Skips limit changes in `excluded`
 * or locked by another process. Commit this before the page: otherwise a page that fails would be picked first again.
 */
export async function pickLimitChange(db: Db, excluded: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update limit_change set last_page_at = clock_timestamp() where id = (
      select id from limit_change c
      where not exists (select from limit_change older where older.workspace_id = c.workspace_id and older.id < c.id)
        and id <> all(${excluded}::bigint[])
      order by last_page_at, id limit 1 for update of c skip locked)
    returning id`.execute(db)
  return rows[0]?.id
}

type Row = { id: string; workspace_id: string; last_seq: string | null; after_app_key: string; after_user_id: string }

/** Locks a picked limit change and returns its progress. Returns undefined when another process has locked or deleted it. */
export async function lockProgress(tx: Db, id: string): Promise<Progress | undefined> {
  const { rows } = await sql<Row>`
    select id, workspace_id, last_seq, after_app_key, after_user_id from limit_change where id = ${id} for update skip locked`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  const { workspace_id: workspaceId, last_seq: lastSeq } = row
  if (lastSeq !== null) return { id, workspaceId, lastSeq, after: { appKey: row.after_app_key, userId: row.after_user_id } }
  return { id, workspaceId, lastSeq: await beginProgress(tx, id), after: { appKey: '', userId: '' } }
}

/**
 * Stores the newest visible `limit_seq` as `last_seq`, and returns it. Limit changes of a workspace are committed in the order of their
 * numbers, so no older one can appear later.
 */
async function beginProgress(tx: Db, id: string): Promise<string> {
  const { rows } = await sql<{ last_seq: string }>`
    update limit_change c set last_seq = (select max(limit_seq) from limit_change each where each.workspace_id = c.workspace_id)
    where id = ${id} returning last_seq`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a locked limit change does not exist')
  return row.last_seq
}

export async function saveProgress(tx: Db, id: string, after: Progress['after']): Promise<void> {
  await sql`update limit_change set after_app_key = ${after.appKey}, after_user_id = ${after.userId} where id = ${id}`.execute(tx)
}

/** Deletes the limit changes that are applied to all users of the workspace. */
export async function deleteLimitChanges(tx: Db, { workspaceId, lastSeq }: Progress): Promise<void> {
  await tx.deleteFrom('limit_change').where('workspace_id', '=', workspaceId).where('limit_seq', '<=', lastSeq).execute()
}

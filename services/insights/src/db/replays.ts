import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A request to send failed deliveries again. `since` is null if they were given one by one. */
export type NewReplay = {
  readonly id: string
  readonly workspaceId: string
  readonly createdBy: string
  /** Null: all subscriptions of the workspace. */
  readonly subscriptionId: string | null
  readonly since: Date | null
  /** Deliveries that failed at this time or later do not belong to the replay. */
  readonly until: Date
  readonly deliveries: number
}

type ReplayStatus = 'running' | 'done' | 'aborted'

export type StoredReplay = Pick<NewReplay, 'id' | 'createdBy' | 'subscriptionId' | 'since' | 'until' | 'deliveries'> & {
  readonly status: ReplayStatus
  readonly replayed: number
  readonly skipped: number
  readonly createdAt: Date
}

/** Matching deliveries are counted up to this number. */
const MAX_COUNTED = 1_000_000

type Span = Pick<NewReplay, 'workspaceId' | 'subscriptionId' | 'since' | 'until'>

/**
 * Returns the number of deliveries that failed in a span of time, counted up to a million.
 * Runs on `slowDb`, once for each replay that a person starts.
 */
export async function countFailed(db: Db, { workspaceId, subscriptionId, since, until }: Span): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from (
      select from subscription s join delivery d on d.subscription_id = s.id and d.failed_at >= ${since} and d.failed_at < ${until}
      where s.workspace_id = ${workspaceId} and s.id = coalesce(${subscriptionId}::uuid, s.id)
      limit ${MAX_COUNTED}
    ) counted`.execute(db)
  return rows[0]?.rows ?? 0
}

/** Stores a replay that background work then continues. Returns false if another replay of the workspace is running. */
export async function insertReplay(db: Db, replay: NewReplay): Promise<boolean> {
  const inserted = await db
    .insertInto('replay')
    .values(rowOf(replay))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Stores a replay that is done. */
export async function insertDoneReplay(tx: Db, replay: NewReplay, replayed: number): Promise<void> {
  const skipped = replay.deliveries - replayed
  await tx
    .insertInto('replay')
    .values({ ...rowOf(replay), replayed, skipped, finished_at: sql<Date>`now()` })
    .execute()
}

function rowOf({ id, workspaceId, createdBy, subscriptionId, since, until, deliveries }: NewReplay) {
  return { id, workspace_id: workspaceId, created_by: createdBy, subscription_id: subscriptionId, since, until, deliveries }
}

/**
 * Picks the running replay that has waited longest for a page, and returns its id. Skips replays in `excluded` or locked by another
 * process. Commit this before the page: otherwise a page that fails would be picked first again.
 */
export async function pickReplay(db: Db, excluded: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update replay set last_page_at = clock_timestamp() where id = (
      select id from replay where finished_at is null and id <> all(${excluded}::uuid[])
      order by last_page_at, id limit 1 for update skip locked)
    returning id`.execute(db)
  return rows[0]?.id
}

/** Locks a running replay and returns its workspace. Undefined if it has ended or another process has locked it. */
export async function lockReplay(tx: Db, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('replay')
    .select('workspace_id')
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.workspace_id
}

/** A failed delivery. `failedAt` is text, because a Date has only milliseconds. */
type FailedDelivery = { readonly id: string; readonly subscriptionId: string; readonly failedAt: string }

/**
 * Returns the next failed deliveries of a replay, in the order of subscriptions and times.
 * A page has 200 deliveries of each subscription.
 */
export async function pageFailed(tx: Db, replayId: string, size: number): Promise<FailedDelivery[]> {
  const { rows } = await sql<FailedDelivery>`
    select d.id, s.id as "subscriptionId", d.failed_at::text as "failedAt"
    from replay r
    join subscription s on s.workspace_id = r.workspace_id and s.id = coalesce(r.subscription_id, s.id) and s.id >= r.after_subscription
    cross join lateral (
      select id, failed_at from delivery
      where subscription_id = s.id and failed_at >= r.since and failed_at < r.until
        and (failed_at, id) > (
          case when s.id = r.after_subscription then r.after_failed_at else '-infinity' end,
          case when s.id = r.after_subscription then r.after_delivery else '00000000-0000-0000-0000-000000000000'::uuid end)
      order by failed_at, id limit ${size}
    ) d
    where r.id = ${replayId}
    order by s.id, d.failed_at, d.id limit ${size}`.execute(tx)
  return rows
}

/** Adds a page to the progress of a replay. */
export async function saveReplayProgress(
  tx: Db,
  id: string,
  { replayed, skipped, last }: { readonly replayed: number; readonly skipped: number; readonly last: FailedDelivery },
): Promise<void> {
  await sql`
    update replay set replayed = replayed + ${replayed}::int, skipped = skipped + ${skipped}::int,
      after_subscription = ${last.subscriptionId}::uuid, after_failed_at = ${last.failedAt}::timestamptz, after_delivery = ${last.id}::uuid
    where id = ${id}`.execute(tx)
}

export async function finishReplay(tx: Db, id: string): Promise<void> {
  await tx.updateTable('replay').set({ finished_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

/** Ends a replay unless it has ended. Waits for a page that is being sent. */
export async function abortReplay(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('replay')
    .set({ finished_at: sql<Date>`now()`, aborted: true })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('finished_at', 'is', null)
    .execute()
}

function replays(db: Db, workspaceId: string) {
  return db
    .selectFrom('replay')
    .select(['id', 'created_by as createdBy', 'subscription_id as subscriptionId', 'since', 'until', 'deliveries'])
    .select(['replayed', 'skipped', 'created_at as createdAt'])
    .select(sql<ReplayStatus>`case when finished_at is null then 'running' when aborted then 'aborted' else 'done' end`.as('status'))
    .where('workspace_id', '=', workspaceId)
}

export async function findReplay(db: Db, workspaceId: string, id: string): Promise<StoredReplay | undefined> {
  return await replays(db, workspaceId).where('id', '=', id).executeTakeFirst()
}

/** Returns replays of a workspace that are older than the replay `before`, newest first. UUIDv7 ids sort by time. */
export async function pageReplays(db: Db, workspaceId: string, before: string | null, max: number): Promise<StoredReplay[]> {
  let query = replays(db, workspaceId)
  if (before !== null) query = query.where('id', '<', before)
  return await query.orderBy('id', 'desc').limit(max).execute()
}

/** Deletes replays that ended before a time. A person starts each of them, so these are few. */
export async function deleteOldReplays(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('replay').where('finished_at', '<', before).execute()
}

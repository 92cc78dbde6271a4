import type { UserBlocking } from '@onward/contract'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The channel of notifications that blocking has changed. */
export const BLOCKING_CHANNEL = 'blocking'

/** How long a block is enforced after insights last confirmed it. */
const ENFORCED_FOR = sql`interval '10 minutes'`

/**
 * How long after the last confirmation a lower sequence number counts as an old message. Later, it means that insights was restored from a
 * backup. After a failover, insights itself raises its numbers.
 */
const LOWER_SEQ_IGNORED_FOR = sql`interval '1 hour'`

/** Stores states, at most one per user, and notifies all processes. Ignores a state with a lower sequence number than the stored one. */
export async function storeBlocking(db: Db, states: readonly UserBlocking[]): Promise<void> {
  await sql`
    with stored as (
      insert into blocking as b (app_key, user_id, seq, blocked_until)
      select * from unnest(
        ${states.map((each) => each.app_key)}::text[], ${states.map((each) => each.user_id)}::text[],
        ${states.map((each) => each.seq)}::bigint[], ${states.map((each) => each.blocked_until)}::timestamptz[]
      ) as given (app_key, user_id, seq, blocked_until)
      order by app_key, user_id
      on conflict (app_key, user_id) do update
        set seq = excluded.seq, blocked_until = excluded.blocked_until, confirmed_at = now(), written_by = pg_current_xact_id()
        where b.seq <= excluded.seq or b.confirmed_at < now() - ${LOWER_SEQ_IGNORED_FOR}
      returning 1
    )
    select pg_notify(${BLOCKING_CHANNEL}, '') where exists (select from stored)`.execute(db)
}

/** A user's state when it was read. In ms: how long the block still lasts, and how long it is enforced if insights does not confirm it. */
type ReadBlocking = { readonly appKey: string; readonly userId: string; readonly blockedMs: number; readonly enforcedMs: number }

/** A transaction id. All transactions before it had ended at the last read, so the next read begins with it and misses none. */
export type ReadFrom = string

/** Sort key of a page's last state. */
export type BlockingKey = { readonly writtenBy: string; readonly appKey: string; readonly userId: string }

/**
 * Returns up to `max` states that were stored since an earlier read, some of them again, beginning after the state `after`. With `from`
 * undefined, returns only current blocks. `next` is where a later read begins; use the `next` of the first page. `last` is undefined when
 * no states follow.
 */
export async function readBlocking(
  db: Db,
  from: ReadFrom | undefined,
  after: BlockingKey | undefined,
  max: number,
): Promise<{ states: ReadBlocking[]; next: ReadFrom; last: BlockingKey | undefined }> {
  const key = after ?? { writtenBy: from ?? '0', appKey: '', userId: '' }
  // Without states, the left join returns one row of nulls with `next`.
  const { rows } = await sql<((ReadBlocking & BlockingKey) | { appKey: null }) & { next: ReadFrom }>`
    select b.*, next.id as next from (select pg_snapshot_xmin(pg_current_snapshot())::text as id) next
    left join (
      select written_by::text as "writtenBy", app_key as "appKey", user_id as "userId",
        (coalesce(extract(epoch from blocked_until - now()), 0) * 1000)::float8 as "blockedMs",
        (extract(epoch from confirmed_at + ${ENFORCED_FOR} - now()) * 1000)::float8 as "enforcedMs"
      from blocking
      where (written_by, app_key, user_id) > (${key.writtenBy}::xid8, ${key.appKey}, ${key.userId})
        and ${from === undefined ? sql`blocked_until > now()` : sql`true`}
      order by written_by, app_key, user_id limit ${max}
    ) b on true`.execute(db)
  const [first] = rows
  if (first === undefined) throw new Error('the blocking states could not be read: the query returned no row')
  const states = rows.filter((row) => row.appKey !== null)
  return { states, next: first.next, last: states.length < max ? undefined : states.at(-1) }
}

/** Deletes up to `max` states that were not confirmed for a day. Returns their number. */
export async function deleteOldBlocking(db: Db, max: number): Promise<number> {
  // The condition is repeated, so that a state stays if it is confirmed at the same time.
  const { numAffectedRows = 0n } = await sql`
    delete from blocking
    where ctid = any(array(select ctid from blocking where confirmed_at < now() - interval '1 day' limit ${max}))
      and confirmed_at < now() - interval '1 day'`.execute(db)
  return Number(numAffectedRows)
}

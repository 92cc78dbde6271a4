import type { LimitState } from '@onward/contract'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The channel on which processes hear that states were stored. */
export const LIMIT_CHANNEL = 'limit_state'

/** How long a state is believed that nobody confirms. */
const BELIEVED_FOR = sql`interval '10 minutes'`

/** After so long a lower number is not an old message: insights was restored from a backup, and counts on from there. */
const OUTLIVED = sql`interval '1 hour'`

/** Stores states, each user's once, and says so on the channel. A state with a lower number than the one there is older, and is left out. */
export async function storeLimitStates(db: Db, states: readonly LimitState[]): Promise<void> {
  await sql`
    with stored as (
      insert into limit_state as s (app_key, user_id, seq, blocked_until)
      select * from unnest(
        ${states.map((each) => each.app_key)}::text[], ${states.map((each) => each.user_id)}::text[],
        ${states.map((each) => each.seq)}::bigint[], ${states.map((each) => each.blocked_until)}::timestamptz[]
      ) as given (app_key, user_id, seq, blocked_until)
      order by app_key, user_id
      on conflict (app_key, user_id) do update
        set seq = excluded.seq, blocked_until = excluded.blocked_until, confirmed_at = now(), written_by = pg_current_xact_id()
        where s.seq <= excluded.seq or s.confirmed_at < now() - ${OUTLIVED}
      returning 1
    )
    select pg_notify(${LIMIT_CHANNEL}, '') where exists (select from stored)`.execute(db)
}

/** A user's state as of the moment in which it was read: for how long the block lasts, and for how long it is believed. 0 and less: no more. */
export type ReadState = { readonly appKey: string; readonly userId: string; readonly blockedMs: number; readonly believedMs: number }

/** Where the next reading begins, so that it misses nothing: no transaction before it is still to be committed. */
export type ReadFrom = string

/** Reads what was stored since an earlier reading, some of it again; undefined: all that may still block. */
export async function readLimitStates(db: Db, from: ReadFrom | undefined): Promise<{ states: ReadState[]; next: ReadFrom }> {
  const { rows } = await sql<ReadState & { next: ReadFrom; appKey: string | null }>`
    select s.*, next.id as next from (select pg_snapshot_xmin(pg_current_snapshot())::text as id) next
    left join (
      select app_key as "appKey", user_id as "userId",
        (coalesce(extract(epoch from blocked_until - now()), 0) * 1000)::float8 as "blockedMs",
        (extract(epoch from confirmed_at + ${BELIEVED_FOR} - now()) * 1000)::float8 as "believedMs"
      from limit_state
      where ${from === undefined ? sql`blocked_until > now()` : sql`written_by >= ${from}::xid8`}
    ) s on true`.execute(db)
  const [first] = rows
  if (first === undefined) throw new Error('the database has no transactions')
  return { states: rows.filter(({ appKey }) => appKey !== null), next: first.next }
}

/** Forgets states that nobody has confirmed for a day. */
export async function deleteOldLimitStates(db: Db): Promise<void> {
  await sql`delete from limit_state where confirmed_at < now() - interval '1 day'`.execute(db)
}

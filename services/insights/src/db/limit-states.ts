import { sql } from 'kysely'
import type { Db } from './tables.ts'
import type { UserKey } from './users.ts'

/** `blockedUntil` is null for a user who is not blocked. */
type State = UserKey & { readonly blockedUntil: Date | null }

/** `begun` is false while the user had no task: then no window says when a block ends, and one that is there already stays. */
export type WantedState = State & { readonly begun: boolean }

/** `seq` rises with each change of a user's state. */
export type LimitState = State & { readonly seq: number }

type Row = { app_key: string; user_id: string; seq: string; blocked_until: Date | null }

function stateOf(row: Row): LimitState {
  return { appKey: row.app_key, userId: row.user_id, seq: Number(row.seq), blockedUntil: row.blocked_until }
}

/** How long a state that was handed to nobody, or is being handed over, waits for its next turn. */
const LEASE = sql`interval '3 seconds'`
/** Functions forgets a state that nobody has confirmed for ten minutes. */
const CONFIRMED_EVERY = sql`interval '2 minutes'`
/** Longer than functions believes in a state: by then it has forgotten what an unblocking that was lost should have ended. */
const TOLD_LONG_ENOUGH = sql`s.blocked_until is null and s.changed_at < now() - interval '15 minutes'`

/**
 * Stores the states that differ from those there are, and gives them. The users must be locked: then the order of the sequence is
 * the order of the changes.
 */
export async function changeLimitStates(tx: Db, wanted: readonly WantedState[]): Promise<LimitState[]> {
  const { rows } = await sql<Row>`
    insert into limit_state (app_key, user_id, seq, blocked_until, changed_at, publish_at)
    select app_key, user_id, nextval('limit_state_seq'), wanted.blocked_until, statement_timestamp(), statement_timestamp() + ${LEASE}
    from unnest(
      ${wanted.map((each) => each.appKey)}::text[], ${wanted.map((each) => each.userId)}::text[],
      ${wanted.map((each) => each.blockedUntil)}::timestamptz[], ${wanted.map((each) => each.begun)}::bool[]
    ) as wanted (app_key, user_id, blocked_until, begun)
    left join limit_state there using (app_key, user_id)
    where there.blocked_until is distinct from wanted.blocked_until
      and (wanted.begun or wanted.blocked_until is null or coalesce(there.blocked_until <= now(), true))
    on conflict (app_key, user_id) do update
      set seq = excluded.seq, blocked_until = excluded.blocked_until, changed_at = excluded.changed_at, publish_at = excluded.publish_at
    returning app_key, user_id, seq, blocked_until`.execute(tx)
  return rows.map(stateOf)
}

/** Takes states that are due to be told, or told again, each for one process. */
export async function takeDueStates(db: Db, size: number): Promise<LimitState[]> {
  const { rows } = await sql<Row>`
    with due as (
      select app_key, user_id from limit_state where publish_at <= now() order by publish_at limit ${size} for update skip locked
    )
    update limit_state s set publish_at = now() + ${LEASE} from due
    where s.app_key = due.app_key and s.user_id = due.user_id
    returning s.app_key, s.user_id, s.seq, s.blocked_until`.execute(db)
  return rows.map(stateOf)
}

/**
 * Notes that states were told, and forgets those that have been told long enough: only now, for functions may have been away all the time.
 * One that somebody else has in hand is told once more instead of being waited for.
 */
export async function markPublished(db: Db, states: readonly LimitState[]): Promise<void> {
  await sql`
    with told as (
      select app_key, user_id from limit_state s
      join unnest(
        ${states.map((each) => each.appKey)}::text[], ${states.map((each) => each.userId)}::text[], ${states.map((each) => each.seq)}::bigint[]
      ) as given (app_key, user_id, seq) using (app_key, user_id, seq)
      for update of s skip locked
    ), forgotten as (
      delete from limit_state s using told where s.app_key = told.app_key and s.user_id = told.user_id and ${TOLD_LONG_ENOUGH}
    )
    update limit_state s set publish_at = now() + ${CONFIRMED_EVERY} from told
    where s.app_key = told.app_key and s.user_id = told.user_id and not (${TOLD_LONG_ENOUGH})`.execute(db)
}

/** Users whose block has ended. */
export async function endedBlocks(db: Db, size: number): Promise<UserKey[]> {
  const { rows } = await sql<{ app_key: string; user_id: string }>`
    select app_key, user_id from limit_state where blocked_until <= now() order by blocked_until limit ${size}`.execute(db)
  return rows.map((row) => ({ appKey: row.app_key, userId: row.user_id }))
}

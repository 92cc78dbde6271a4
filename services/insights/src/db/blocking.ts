import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Whether a user is blocked. `blockedUntil` is null for a user who is not. */
type State = UserKey & { readonly blockedUntil: Date | null }

/**
 * `begun`: whether the user has had a task. Before the first task, no period determines the end of a block, so an existing block keeps its
 * end.
 */
type WantedBlocking = State & { readonly begun: boolean }

/** `seq` rises with each change, and when Postgres was restarted. */
export type Blocking = State & { readonly seq: number }

type Row = { app_key: string; user_id: string; seq: string; blocked_until: Date | null }

function blockingOf(row: Row): Blocking {
  return { appKey: row.app_key, userId: row.user_id, seq: Number(row.seq), blockedUntil: row.blocked_until }
}

/** After each restart of Postgres, the numbers continue at the next multiple of this. No failover loses as many numbers. */
const SEQ_STEP = 1_000_000_000

/** Lease on a row that is being published: for this time, no other process publishes it. */
const LEASE = sql`interval '3 seconds'`
/** The functions service forgets a block that was not published again for ten minutes. */
const PUBLISH_EVERY = sql`interval '2 minutes'`
/** The functions service remembers a block for ten minutes. After 15 minutes, a lost unblock message no longer matters. */
const PUBLISHED_LONG_ENOUGH = sql`b.blocked_until is null and b.changed_at < now() - interval '15 minutes'`

/**
 * Stores the rows that differ from the stored ones, and returns them. The users must be locked, so that the sequence has the order of the
 * changes.
 */
export async function changeBlocking(tx: Db, wanted: readonly WantedBlocking[]): Promise<Blocking[]> {
  const { rows } = await sql<Row>`
    insert into blocking (app_key, user_id, seq, blocked_until, changed_at, publish_at)
    select app_key, user_id, nextval('blocking_seq'), wanted.blocked_until, statement_timestamp(), statement_timestamp() + ${LEASE}
    from unnest(
      ${wanted.map((each) => each.appKey)}::text[], ${wanted.map((each) => each.userId)}::text[],
      ${wanted.map((each) => each.blockedUntil)}::timestamptz[], ${wanted.map((each) => each.begun)}::bool[]
    ) as wanted (app_key, user_id, blocked_until, begun)
    left join blocking existing using (app_key, user_id)
    where existing.blocked_until is distinct from wanted.blocked_until
      and (wanted.begun or wanted.blocked_until is null or coalesce(existing.blocked_until <= now(), true))
    on conflict (app_key, user_id) do update
      -- The row may have got a newer number after this statement took its own.
      set seq = greatest(excluded.seq, blocking.seq + 1), blocked_until = excluded.blocked_until, changed_at = excluded.changed_at, publish_at = excluded.publish_at
    returning app_key, user_id, seq, blocked_until`.execute(tx)
  return rows.map(blockingOf)
}

/**
 * Makes the sequence continue at a much higher number. Call this after a restart of Postgres: a failover can lose the last numbers, and the
 * functions service ignores lower numbers than it knows.
 */
export async function raiseSequence(db: Db): Promise<void> {
  await sql`select setval('blocking_seq', (nextval('blocking_seq') / ${SEQ_STEP}::bigint + 1) * ${SEQ_STEP}::bigint)`.execute(db)
}

/**
 * Returns rows that are due to be published, for the first time or again, and leases them. Only one process gets each of them. Rows from
 * before `raiseSequence` get new numbers. A page has at most 1,000 rows.
 */
export async function takeDueBlocking(db: Db, size: number): Promise<Blocking[]> {
  const { rows } = await sql<Row>`
    with due as (
      select app_key, user_id from blocking where publish_at <= now() order by publish_at limit ${size} for update skip locked
    )
    update blocking b
    set publish_at = now() + ${LEASE}, seq = case
      when b.seq / ${SEQ_STEP}::bigint < (select last_value from blocking_seq) / ${SEQ_STEP}::bigint then nextval('blocking_seq') else b.seq end
    from due
    where b.app_key = due.app_key and b.user_id = due.user_id
    returning b.app_key, b.user_id, b.seq, b.blocked_until`.execute(db)
  return rows.map(blockingOf)
}

/**
 * Records that rows were published. Deletes the rows of users who were unblocked 15 minutes ago or earlier. Until then it schedules the
 * next publication, because functions may have been down. Skips a row that another transaction has locked: it is published once more.
 */
export async function markPublished(db: Db, states: readonly Blocking[]): Promise<void> {
  await sql`
    with published as (
      select app_key, user_id from blocking b
      join unnest(
        ${states.map((each) => each.appKey)}::text[], ${states.map((each) => each.userId)}::text[], ${states.map((each) => each.seq)}::bigint[]
      ) as given (app_key, user_id, seq) using (app_key, user_id, seq)
      for update of b skip locked
    ), deleted as (
      delete from blocking b using published where b.app_key = published.app_key and b.user_id = published.user_id and ${PUBLISHED_LONG_ENOUGH}
    )
    update blocking b set publish_at = now() + ${PUBLISH_EVERY} from published
    where b.app_key = published.app_key and b.user_id = published.user_id and not (${PUBLISHED_LONG_ENOUGH})`.execute(db)
}

/** Returns until when a user is blocked; null if the user is not. */
export async function findBlockedUntil(db: Db, { appKey, userId }: UserKey): Promise<Date | null> {
  const row = await db
    .selectFrom('blocking')
    .select('blocked_until')
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('blocked_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.blocked_until ?? null
}

/** Returns the blocked users of an application, each with the time at which the block ends. */
export async function findBlockedAmong(db: Db, appKey: string, userIds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ user_id: string; blocked_until: Date }>`
    select user_id, blocked_until from blocking
    where app_key = ${appKey} and user_id = any(${userIds}::text[]) and blocked_until > now()`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.blocked_until]))
}

/** Returns users whose block has ended. A page has at most 1,000 users. */
export async function findEndedBlocks(db: Db, size: number): Promise<UserKey[]> {
  const { rows } = await sql<{ app_key: string; user_id: string }>`
    select app_key, user_id from blocking where blocked_until <= now() order by blocked_until limit ${size}`.execute(db)
  return rows.map((row) => ({ appKey: row.app_key, userId: row.user_id }))
}

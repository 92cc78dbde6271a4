import type { TaskConsumedJob } from '@onward/contract'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

export type OutboxRow = TaskConsumedJob & {
  readonly id: string
  /** Whether it was handed to the queue before: the queue may have it, or may have done it. */
  readonly sent: boolean
}

/** Takes up to `most` rows that nobody holds, for `leaseSeconds`. */
export async function leaseOutbox(db: Kysely<Tables>, most: number, leaseSeconds: number): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    update outbox o set leased_until = now() + make_interval(secs => ${leaseSeconds}), sent = true
    from (
      select id, sent from outbox where leased_until <= now() order by leased_until limit ${most} for update skip locked
    ) free
    where o.id = free.id
    returning o.id, o.events, free.sent`.execute(db)
  return rows
}

/** Rows that `mergeOutbox` looks at in one statement. */
const MERGED_AT_ONCE = 2_000

/**
 * Makes few rows of many small ones that were not handed over yet, of at most `batchMax` events each: a backlog goes faster in large
 * messages. Should the queue have one of them after all, insights counts nothing twice.
 */
export async function mergeOutbox(db: Kysely<Tables>, batchMax: number): Promise<void> {
  // A group begins with the row that passes the end of the one before: half a message and one row of at most as much.
  const half = Math.floor(batchMax / 2)
  if (half < 1) return
  await sql`
    with small as (
      select id, jsonb_array_length(events) as length from outbox
      where not sent and leased_until <= now() and jsonb_array_length(events) <= ${half}
      order by leased_until limit ${MERGED_AT_ONCE} for update skip locked
    ), numbered as (
      select id, (sum(length) over (order by id) - 1) / ${half}::int as batch from small
    ), taken as (
      delete from outbox o using numbered n where o.id = n.id returning n.batch, o.events, o.created_at
    )
    insert into outbox (events, created_at)
    select jsonb_agg(event), min(created_at) from taken, jsonb_array_elements(events) event group by batch`.execute(db)
}

/** Gives rows back that could not be handed over. Those of them that never were count as not sent. */
export async function releaseOutbox(db: Kysely<Tables>, rows: readonly OutboxRow[], afterSeconds: number): Promise<void> {
  await sql`
    update outbox o set leased_until = now() + make_interval(secs => ${afterSeconds}), sent = row.sent
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ sent }) => sent)}::bool[]) as row (id, sent)
    where o.id = row.id`.execute(db)
}

/** Holds on to rows for so many seconds from now. */
export async function moveLeases(db: Kysely<Tables>, ids: readonly string[], afterSeconds: number): Promise<void> {
  await sql`
    update outbox set leased_until = now() + make_interval(secs => ${afterSeconds}) where id = any(${ids}::uuid[])`.execute(db)
}

export async function deleteOutbox(db: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await sql`delete from outbox where id = any(${ids}::uuid[])`.execute(db)
}

/** How many rows wait to be confirmed, and the age of the oldest in seconds. */
export async function measureOutbox(db: Kysely<Tables>): Promise<{ rows: number; oldestSeconds: number }> {
  const { rows } = await sql<{ rows: number; oldestSeconds: number }>`
    select count(*)::int as rows, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds" from outbox`.execute(
    db,
  )
  return rows[0] ?? { rows: 0, oldestSeconds: 0 }
}

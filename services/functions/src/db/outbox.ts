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

/** Makes rows free after so many seconds from now. */
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

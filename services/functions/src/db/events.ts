import type { FunctionsEvent } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/**
 * Stores an event about a user, in the transaction that stores the change. Within a second after the commit, the relay publishes it to
 * insights, which sends the webhooks.
 */
export async function insertEvent(tx: Db, { appKey, userId }: UserKey, { kind, ...data }: FunctionsEvent): Promise<void> {
  await tx
    .insertInto('event_outbox')
    .values({ kind, app_key: appKey, user_id: userId, data: JSON.stringify(data) })
    .execute()
}

/** Returns the age of the oldest event that insights has not confirmed, in seconds; 0 when there is none. */
export async function oldestEventSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from now() - created_at)::float8 as seconds from event_outbox order by created_at, id limit 1`.execute(db)
  return rows[0]?.seconds ?? 0
}

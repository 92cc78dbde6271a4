import type { FunctionsEvent } from '@onward/contract'
import type { UserKey } from './connected-accounts.ts'
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

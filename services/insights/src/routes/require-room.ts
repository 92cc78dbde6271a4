import { Refusal } from '@onward/runtime'
import { countSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'

const MAX_SUBSCRIPTIONS = 100

/** Refuses one more live subscription where there are as many as there may be. Whoever asks holds the partner's lock. */
export async function requireRoom(tx: Db, partnerId: string): Promise<void> {
  if ((await countSubscriptions(tx, partnerId)) >= MAX_SUBSCRIPTIONS) {
    throw new Refusal('too_many_subscriptions', `there can be at most ${MAX_SUBSCRIPTIONS} subscriptions; delete one first`)
  }
}

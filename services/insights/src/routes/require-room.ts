import { Refusal } from '@onward/runtime'
import { countSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'

const MAX_SUBSCRIPTIONS = 100
/** In all subscriptions of a workspace together. A user who passes all levels at once makes one delivery for each of these events. */
const MAX_EVENTS = 200

/** Refuses one more live subscription, to so many events, where it would be more than there may be. Whoever asks holds the partner's lock. */
export async function requireRoom(tx: Db, partnerId: string, added: number): Promise<void> {
  const { subscriptions, events } = await countSubscriptions(tx, partnerId)
  if (subscriptions >= MAX_SUBSCRIPTIONS) {
    throw new Refusal('too_many_subscriptions', `there can be at most ${MAX_SUBSCRIPTIONS} subscriptions; delete one first`)
  }
  if (events + added > MAX_EVENTS) {
    throw new Refusal('too_many_subscriptions', `subscriptions can have at most ${MAX_EVENTS} events in all; delete one first`)
  }
}

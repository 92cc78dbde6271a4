import { isUuid, Refusal } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import { findSubscription, type Subscription, shareSubscription } from '../db/subscription-list.ts'
import type { Db } from '../db/tables.ts'

/** The subscription that a request names. Another partner's is answered like one that is not there. */
export async function requireSubscription(db: Db, caller: Caller, id: string): Promise<Subscription> {
  return found(isUuid(id) ? await findSubscription(db, caller.partnerId, id) : undefined)
}

/** The same for sending to it: it is not disabled, nor will it be before the transaction ends. */
export async function requireActiveSubscription(tx: Db, caller: Caller, id: string): Promise<Subscription> {
  const subscription = found(isUuid(id) ? await shareSubscription(tx, caller.partnerId, id) : undefined)
  if (subscription.disabledAt !== null) throw new Refusal('subscription_disabled', 'the subscription is disabled; enable it first')
  return subscription
}

function found(subscription: Subscription | undefined): Subscription {
  if (subscription === undefined) throw new Refusal('subscription_not_found', 'there is no such subscription')
  return subscription
}

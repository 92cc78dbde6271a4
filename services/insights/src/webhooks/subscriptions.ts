import { isUuid, Refusal } from '@onward/runtime'
import { countSubscriptions, findSubscription, type Subscription, shareSubscription } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'

const MAX_SUBSCRIPTIONS = 100
/** Maximum number of subscriptions of a workspace, disabled subscriptions included. */
const MAX_STORED = 1_000
/**
 * Maximum number of webhook kinds (`events` in the API) in all subscriptions of a workspace together. A user who passes all levels at once
 * causes one delivery for each of them.
 */
const MAX_KINDS = 200

/** Returns a subscription of the workspace. Throws `subscription_not_found`, also for one of another workspace. */
export async function requireSubscription(db: Db, workspaceId: string, id: string): Promise<Subscription> {
  return found(isUuid(id) ? await findSubscription(db, workspaceId, id) : undefined)
}

/**
 * Returns a subscription of the workspace that cannot be disabled before the transaction ends. Throws `subscription_disabled` or
 * `subscription_not_found`.
 */
export async function requireActiveSubscription(tx: Db, workspaceId: string, id: string): Promise<Subscription> {
  const subscription = found(isUuid(id) ? await shareSubscription(tx, workspaceId, id) : undefined)
  if (subscription.disabledAt !== null) throw new Refusal('subscription_disabled', 'the subscription is disabled; enable it first')
  return subscription
}

/**
 * Throws `too_many_subscriptions` when one more active subscription with `addedKinds` kinds would exceed a limit. It is either `new`, or
 * `enabled` after it was disabled. The workspace must be locked.
 */
export async function requireCapacity(tx: Db, workspaceId: string, addedKinds: number, made: 'new' | 'enabled'): Promise<void> {
  const { stored, subscriptions } = await countSubscriptions(tx, workspaceId)
  if (made === 'new' && stored >= MAX_STORED) {
    const text = `a workspace can have at most ${MAX_STORED} subscriptions with those that are disabled; delete one first`
    throw new Refusal('too_many_subscriptions', text)
  }
  if (subscriptions >= MAX_SUBSCRIPTIONS) {
    throw new Refusal('too_many_subscriptions', `a workspace can have at most ${MAX_SUBSCRIPTIONS} subscriptions; delete one first`)
  }
  await requireRoomForKinds(tx, workspaceId, addedKinds)
}

/** Throws `too_many_subscriptions` when `added` more kinds in active subscriptions would exceed a limit. The workspace must be locked. */
export async function requireRoomForKinds(tx: Db, workspaceId: string, added: number): Promise<void> {
  const { kinds } = await countSubscriptions(tx, workspaceId)
  if (kinds + added > MAX_KINDS) {
    throw new Refusal(
      'too_many_subscriptions',
      `all subscriptions of a workspace together can have at most ${MAX_KINDS} events; delete one first`,
    )
  }
}

function found(subscription: Subscription | undefined): Subscription {
  if (subscription === undefined) throw new Refusal('subscription_not_found', 'there is no such subscription')
  return subscription
}

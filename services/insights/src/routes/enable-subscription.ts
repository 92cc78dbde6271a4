import * as endpoints from '@onward/contract'
import { lockPartner } from '../db/partners.ts'
import * as subscriptions from '../db/subscriptions.ts'
import { presentSubscription } from './present-subscription.ts'
import { requireRoom } from './require-room.ts'
import { requireSubscription } from './require-subscription.ts'
import { route } from './route.ts'

/** Enabling one that is not disabled changes nothing. */
export const enableSubscription = route(endpoints.enableSubscription, async (ctx, { params, caller }) => {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockPartner(tx, caller.partnerId)
    const subscription = await requireSubscription(tx, caller, params.subscription_id)
    if (subscription.disabledAt === null) return presentSubscription(subscription)
    await requireRoom(tx, caller.partnerId, subscription.events.length)
    await subscriptions.enableSubscription(tx, subscription.id)
    return presentSubscription({ ...subscription, disabledAt: null, disabledReason: null, failingSince: null })
  })
})

import * as endpoints from '@onward/contract'
import { isUuid, Refusal } from '@onward/runtime'
import * as asked from '../db/asked-deliveries.ts'
import { wakeSubscriptions } from '../events/wake.ts'
import { requireActiveSubscription } from './require-subscription.ts'
import { route } from './route.ts'

export const replayDelivery = route(endpoints.replayDelivery, async (ctx, { params, caller }) => {
  const id = params.delivery_id.toLowerCase()
  const subscriptionId = isUuid(id) ? await asked.findSubscriptionOf(ctx.db, caller.partnerId, id) : undefined
  if (subscriptionId === undefined) throw new Refusal('delivery_not_found', 'there is no such delivery')
  await ctx.db.transaction().execute(async (tx) => {
    await requireActiveSubscription(tx, caller, subscriptionId)
    await asked.replayDelivery(tx, id)
  })
  await wakeSubscriptions(ctx, [subscriptionId])
  return { delivery_id: id }
})

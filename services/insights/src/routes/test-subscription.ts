import * as endpoints from '@onward/contract'
import { uuidv7 } from '@onward/runtime'
import { insertTestDelivery } from '../db/asked-deliveries.ts'
import { wakeSubscriptions } from '../events/wake.ts'
import { sampleDelivery } from '../usage/sample-delivery.ts'
import { requireActiveSubscription } from './require-subscription.ts'
import { route } from './route.ts'

export const testSubscription = route(endpoints.testSubscription, async (ctx, { params, caller }) => {
  const id = uuidv7()
  const subscriptionId = await ctx.db.transaction().execute(async (tx) => {
    const { id: subscriptionId, events } = await requireActiveSubscription(tx, caller, params.subscription_id)
    await insertTestDelivery(tx, { id, subscriptionId, ...sampleDelivery(events) })
    return subscriptionId
  })
  await wakeSubscriptions(ctx, [subscriptionId])
  return { delivery_id: id }
})

import * as endpoints from '@onward/contract'
import { countDeliveries } from '../db/delivery-list.ts'
import { presentSubscription } from './present-subscription.ts'
import { requireSubscription } from './require-subscription.ts'
import { route } from './route.ts'

export const getSubscription = route(endpoints.getSubscription, async (ctx, { params, caller }) => {
  const subscription = await requireSubscription(ctx.db, caller, params.subscription_id)
  return { ...presentSubscription(subscription), deliveries: await countDeliveries(ctx.db, subscription.id) }
})

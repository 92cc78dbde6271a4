import * as endpoints from '@onward/contract'
import { isUuid, Refusal } from '@onward/runtime'
import * as subscriptions from '../db/subscriptions.ts'
import { route } from './route.ts'

export const deleteSubscription = route(endpoints.deleteSubscription, async (ctx, { params: { subscription_id: id }, caller }) => {
  const deleted =
    isUuid(id) && (await ctx.db.transaction().execute(async (tx) => await subscriptions.deleteSubscription(tx, caller.partnerId, id)))
  if (!deleted) throw new Refusal('subscription_not_found', 'there is no such subscription')
  return { success: true } as const
})

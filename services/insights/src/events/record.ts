import type { Context } from '../context.ts'
import { type Claimed, markDelivered, markFailed, markRetry } from '../db/deliveries.ts'
import { type Attempt, insertAttempt } from '../db/delivery-attempts.ts'
import { disableSubscription, noteFailure, noteSuccess } from '../db/subscriptions.ts'
import type { Verdict } from './schedule.ts'

/** Records an attempt and what follows from it. True when there is a next attempt for us to put in the queue. */
export async function record(ctx: Context, delivery: Claimed, attempt: Attempt, verdict: Verdict): Promise<boolean> {
  const { id, subscriptionId } = delivery
  return await ctx.db.transaction().execute(async (tx) => {
    await insertAttempt(tx, attempt)
    // The subscription's row before the delivery's, as where a subscription is deleted: nobody waits in a circle.
    switch (verdict.kind) {
      case 'delivered':
        await noteSuccess(tx, subscriptionId)
        await markDelivered(tx, id, attempt.number)
        return false
      case 'gone':
        await disableSubscription(tx, subscriptionId, 'the receiver answered 410 Gone')
        return false
      case 'retry':
      case 'exhausted':
        if ((await noteFailure(tx, subscriptionId)) >= ctx.timing.failingForMs) {
          await disableSubscription(tx, subscriptionId, 'all deliveries failed for too long')
          return false
        }
        if (verdict.kind === 'retry') return await markRetry(tx, id, attempt.number, verdict.delayMs)
        await markFailed(tx, id, attempt.number)
        return false
    }
  })
}

import type { Context } from '../context.ts'
import type { Claimed } from '../db/deliveries.ts'
import { post } from './post.ts'
import type { Made } from './record.ts'
import { judge } from './schedule.ts'

/** Makes the attempt that a delivery was claimed for. Gives what came of it, yet to be recorded. */
export async function deliver(ctx: Context, delivery: Claimed): Promise<Made> {
  const { id, subscriptionId, attempt, scheduleStart } = delivery
  const startedAt = new Date()
  const started = performance.now()
  const answer = await post(ctx, delivery)
  return {
    deliveryId: id,
    subscriptionId,
    number: attempt,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    status: 'status' in answer ? answer.status : null,
    failure: 'failure' in answer ? answer.failure : null,
    verdict: judge(answer, attempt - scheduleStart, ctx.timing, new Date(), Math.random()),
  }
}

import type { Context } from '../context.ts'
import { claimDelivery } from '../db/deliveries.ts'
import type { DeliveryJob } from './delivery-job.ts'
import { enqueue } from './enqueue.ts'
import { post } from './post.ts'
import { record } from './record.ts'
import { judge } from './schedule.ts'

/** Makes one attempt at a delivery. A job that comes twice, late or for nothing finds nothing to claim. */
export async function deliver(ctx: Context, { delivery_id: id, attempt }: DeliveryJob): Promise<void> {
  // Longer than an attempt can take: who still holds a claim that has run out is gone.
  const delivery = await claimDelivery(ctx.db, id, attempt, 2 * ctx.timing.deadlineMs)
  if (delivery === undefined) return
  const startedAt = new Date()
  const started = performance.now()
  const answer = await post(ctx, delivery)
  const verdict = judge(answer, attempt, ctx.timing, new Date(), Math.random())
  const made = {
    deliveryId: id,
    number: attempt,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    status: 'status' in answer ? answer.status : null,
    failure: 'failure' in answer ? answer.failure : null,
  }
  const again = await record(ctx, delivery, made, verdict)
  ctx.counters.attempts.inc({ result: verdict.kind })
  if (again && verdict.kind === 'retry') await enqueue(ctx, [{ delivery_id: id, attempt: attempt + 1 }], verdict.delayMs)
}

import { inTime } from '@onward/runtime'
import type { Context } from '../context.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from './delivery-job.ts'

/** Jobs of one pipeline. */
const CHUNK = 500
/** With a store that has never been there, adding would wait for ever. */
const ADD_MS = 5_000

/** Puts the first attempts of new deliveries in the queue, once they are committed. */
export async function enqueueDeliveries(ctx: Context, ids: readonly string[]): Promise<void> {
  await enqueue(
    ctx,
    ids.map((id) => ({ delivery_id: id, attempt: 1 })),
    0,
  )
}

/** Never fails: what could not be added is found by the sweep. Adding a job that is there changes nothing. */
export async function enqueue(ctx: Pick<Context, 'deliveries' | 'log'>, jobs: readonly DeliveryJob[], delayMs: number): Promise<void> {
  try {
    for (let start = 0; start < jobs.length; start += CHUNK) {
      const chunk = jobs.slice(start, start + CHUNK).map((data) => ({
        name: DELIVERY_QUEUE,
        data,
        // Removed at once, so that the id is free should the sweep have to add it again.
        opts: { jobId: `${data.delivery_id}-${data.attempt}`, delay: delayMs, removeOnComplete: true },
      }))
      await inTime(ADD_MS, ctx.deliveries.addBulk(chunk))
    }
  } catch (err) {
    ctx.log.warn({ err }, 'deliveries could not be put in the queue; the sweep will')
  }
}

import { TASK_QUEUE } from '@onward/contract'
import type { Context } from './context.ts'
import { deliver } from './events/deliver.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from './events/delivery-job.ts'
import { ingest } from './usage/ingest.ts'

type Work = {
  readonly concurrency: number
  readonly handle: (ctx: Context, data: unknown, jobId: string) => Promise<void>
}

/** Every queue that this service reads, with what is done with a job. */
const WORK: Record<typeof TASK_QUEUE | typeof DELIVERY_QUEUE, Work> = {
  [TASK_QUEUE]: { concurrency: 4, handle: (ctx, data, jobId) => ingest(ctx, jobId, data) },
  // Mostly waiting for receivers: up to fifty that dawdle hold up no other.
  [DELIVERY_QUEUE]: { concurrency: 50, handle: (ctx, data) => deliver(ctx, data as DeliveryJob) },
}

export function startWorkers(ctx: Context): void {
  for (const [name, { concurrency, handle }] of Object.entries(WORK)) {
    ctx.queues.worker(
      name,
      async ({ id = '', data }) => {
        try {
          await handle(ctx, data, id)
        } catch (err) {
          ctx.log.warn({ err, queue: name, job: id }, 'a job failed; it is tried again')
          throw err
        }
      },
      concurrency,
    )
  }
}

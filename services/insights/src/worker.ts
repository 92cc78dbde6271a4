import { TASK_QUEUE } from '@onward/contract'
import type { Worker } from '@onward/runtime'
import type { Context } from './context.ts'
import type { Courier } from './events/courier.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from './events/delivery-job.ts'
import { type Ingest, MOST_JOBS, openIngest } from './usage/ingest.ts'

type Work = {
  readonly concurrency: number
  readonly handle: (parts: { ingest: Ingest; courier: Courier }, data: unknown, jobId: string) => Promise<void>
}

/** Every queue that this service reads, with what is done with a job. */
const WORK: Record<typeof TASK_QUEUE | typeof DELIVERY_QUEUE, Work> = {
  [TASK_QUEUE]: { concurrency: MOST_JOBS + 1, handle: ({ ingest }, data, jobId) => ingest(jobId, data) },
  // A job only wakes; it waits where there is more to do than the process can. One of an earlier version names no subscriptions.
  [DELIVERY_QUEUE]: { concurrency: 4, handle: ({ courier }, data) => courier.wake((data as Partial<DeliveryJob>).subscription_ids ?? []) },
}

/** All of them end with the queues; the one for deliveries is given so that it can be closed before. */
export function startWorkers(ctx: Context, courier: Courier): { readonly deliveries: Worker } {
  const parts = { ingest: openIngest(ctx), courier }

  function start(name: keyof typeof WORK): Worker {
    const { concurrency, handle } = WORK[name]
    return ctx.queues.worker(
      name,
      async ({ id = '', data }) => {
        try {
          await handle(parts, data, id)
        } catch (err) {
          ctx.log.warn({ err, queue: name, job: id }, 'a job failed; it is tried again')
          throw err
        }
      },
      concurrency,
    )
  }
  start(TASK_QUEUE)
  return { deliveries: start(DELIVERY_QUEUE) }
}

import { TASK_QUEUE } from '@onward/contract'
import type { Worker } from '@onward/runtime'
import type { Context } from './context.ts'
import { type Ingest, MAX_JOBS, openIngest } from './usage/ingest.ts'
import type { Dispatcher } from './webhooks/dispatcher.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from './webhooks/queue.ts'

type QueueName = typeof TASK_QUEUE | typeof DELIVERY_QUEUE

type Work = {
  readonly concurrency: number
  readonly handle: (parts: { ingest: Ingest; dispatcher: Dispatcher }, data: unknown, jobId: string) => Promise<void>
}

/** Every queue that this service reads, and how it handles a job. */
const WORK: Record<QueueName, Work> = {
  // One job more than a batch holds, so that the next batch can start at once.
  [TASK_QUEUE]: { concurrency: MAX_JOBS + 1, handle: ({ ingest }, data, jobId) => ingest(jobId, data) },
  // A job only wakes the dispatcher. It waits while the dispatcher has more to do than it can.
  [DELIVERY_QUEUE]: { concurrency: 4, handle: ({ dispatcher }, data) => dispatcher.wake((data as DeliveryJob).subscription_ids) },
}

/** Starts the workers, which close with the queues. Returns the worker of deliveries, which must close before. */
export function startWorkers(ctx: Context, dispatcher: Dispatcher): { readonly deliveries: Worker } {
  const parts = { ingest: openIngest(ctx), dispatcher }

  function start(name: QueueName): Worker {
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

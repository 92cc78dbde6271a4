import { TASK_HOURS_QUEUE, TASK_QUEUE, USER_EVENT_QUEUE } from '@onward/contract'
import type { Worker } from '@onward/runtime'
import type { Context } from './context.ts'
import { compareTasks } from './maintenance/compare-tasks.ts'
import { type Ingest, MAX_JOBS, openIngest } from './usage/ingest.ts'
import type { Dispatcher } from './webhooks/dispatcher.ts'
import { DELIVERY_QUEUE, type DeliveryJob, wakeSubscriptions } from './webhooks/queue.ts'
import { takeUserEvents } from './webhooks/user-events.ts'

type QueueName = typeof TASK_QUEUE | typeof TASK_HOURS_QUEUE | typeof USER_EVENT_QUEUE | typeof DELIVERY_QUEUE

type Parts = { readonly ctx: Context; readonly ingest: Ingest; readonly dispatcher: Dispatcher; readonly closing: AbortSignal }

type Work = {
  readonly concurrency: number
  readonly handle: (parts: Parts, data: unknown, jobId: string) => Promise<void>
}

/** The queues that this service reads, and how it handles their jobs. */
const WORK: Record<QueueName, Work> = {
  // While one batch is being counted, the jobs of the next one are read and checked.
  [TASK_QUEUE]: { concurrency: 2 * MAX_JOBS, handle: ({ ingest }, data, jobId) => ingest(jobId, data) },
  [TASK_HOURS_QUEUE]: { concurrency: 1, handle: ({ ctx, closing }, data) => compareTasks({ ...ctx, db: ctx.slowDb }, data, closing) },
  [USER_EVENT_QUEUE]: { concurrency: 4, handle: async ({ ctx }, data) => wakeSubscriptions(ctx, await takeUserEvents(ctx.db, data)) },
  // A job only wakes the dispatcher. While the dispatcher has a backlog, the job waits.
  [DELIVERY_QUEUE]: { concurrency: 4, handle: ({ dispatcher }, data) => dispatcher.wake((data as DeliveryJob).subscription_ids) },
}

/**
 * Starts the workers. `ctx.queues.close` closes them; close the returned delivery worker earlier, together with the dispatcher. Abort
 * `closing` first, which ends what would run for long.
 */
export function startWorkers(ctx: Context, dispatcher: Dispatcher, closing: AbortSignal): { readonly deliveries: Worker } {
  const parts = { ctx, ingest: openIngest(ctx), dispatcher, closing }

  function start(name: QueueName): Worker {
    const { concurrency, handle } = WORK[name]
    return ctx.queues.worker(
      name,
      async ({ id = '', data }) => {
        try {
          await handle(parts, data, id)
        } catch (err) {
          ctx.log.warn({ err, queue: name, job: id }, 'a job failed; the queue retries it')
          throw err
        }
      },
      concurrency,
    )
  }
  start(TASK_QUEUE)
  start(TASK_HOURS_QUEUE)
  start(USER_EVENT_QUEUE)
  return { deliveries: start(DELIVERY_QUEUE) }
}

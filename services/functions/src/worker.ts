import { BLOCKING_QUEUE } from '@onward/contract'
import { takeBlocking } from './blocking/take-blocking.ts'
import type { Context } from './context.ts'

/** Starts the queue workers of this service. */
export function startWorkers(ctx: Context): void {
  ctx.queues.worker(
    BLOCKING_QUEUE,
    async ({ id, data }) => {
      try {
        await takeBlocking(ctx.db, ctx.log, data)
      } catch (err) {
        ctx.log.warn({ err, queue: BLOCKING_QUEUE, job: id }, 'a job failed and will be retried')
        throw err
      }
    },
    1,
  )
}

import { LIMIT_QUEUE } from '@onward/contract'
import type { Context } from './context.ts'
import { takeLimitStates } from './limits/take-limit-states.ts'

/** Starts what this service reads from queues. */
export function startWorkers(ctx: Context): void {
  ctx.queues.worker(
    LIMIT_QUEUE,
    async ({ id, data }) => {
      try {
        await takeLimitStates(ctx, data)
      } catch (err) {
        ctx.log.warn({ err, queue: LIMIT_QUEUE, job: id }, 'a job failed; it is tried again')
        throw err
      }
    },
    1,
  )
}

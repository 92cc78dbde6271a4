import {
  BLOCKING_QUEUE,
  ENDED_RIGHTS_QUEUE,
  type EndedRightsJob,
  endedRightsJob,
  RESEND_QUEUE,
  TASK_HOURS_QUEUE,
  type TaskHoursJob,
} from '@onward/contract'
import { compileCheck, onFirstUse, openLoop } from '@onward/runtime'
import { takeBlocking } from './blocking/take-blocking.ts'
import { publishHours } from './call/publish-hours.ts'
import { takeResend } from './call/resend-tasks.ts'
import { expirePending } from './connect/expire-pending.ts'
import type { Context } from './context.ts'
import { storeEnded } from './db/ended-rights.ts'

/** How often a process looks whether a comparison with insights is due. */
const RECONCILE_POLL_MS = 5_000
/** How often a process looks for accounts that were not confirmed in time. */
const EXPIRE_POLL_MS = 5_000

/**
 * Starts the queue workers of this service, and the loops that publish the tasks per hour and end accounts that were not confirmed. `close`
 * ends what would run for long.
 */
export function startWorkers(ctx: Context): { close(): Promise<void> } {
  const closing = new AbortController()
  const taskHours = ctx.queues.queue<TaskHoursJob>(TASK_HOURS_QUEUE, { keepCompleted: false })
  // Comparing and sending again read whole hours of the calls log.
  const reconcileParts = { ...ctx, db: ctx.slowDb, taskHours }

  function start(queue: string, handle: (data: unknown) => Promise<void>): void {
    ctx.queues.worker(
      queue,
      async ({ id, data }) => {
        try {
          await handle(data)
        } catch (err) {
          ctx.log.warn({ err, queue, job: id }, 'a job failed and will be retried')
          throw err
        }
      },
      1,
    )
  }
  start(BLOCKING_QUEUE, (data) => takeBlocking(ctx.db, ctx.log, data))
  start(ENDED_RIGHTS_QUEUE, (data) => takeEnded(ctx, data))
  start(RESEND_QUEUE, (data) => takeResend(reconcileParts, data, closing.signal))
  const pollMs = Math.min(RECONCILE_POLL_MS, ctx.config.reconcileEveryMs)
  const reconciling = openLoop(pollMs, (signal) => publishHours(reconcileParts, signal), ctx.log)
  const expiring = openLoop(EXPIRE_POLL_MS, () => expirePending(ctx), ctx.log)
  return {
    async close() {
      closing.abort()
      await Promise.all([reconciling.close(), expiring.close()])
    },
  }
}

const checkEnded = onFirstUse(() => compileCheck(endedRightsJob, 'strict'))

/** An invalid message is logged and dropped: the access tokens that it is about expire soon. */
async function takeEnded({ db, log }: Context, data: unknown): Promise<void> {
  const problems = checkEnded(data)
  if (problems.length > 0) return log.error({ problems }, 'an invalid message about ended rights was dropped')
  await storeEnded(db, data as EndedRightsJob)
}

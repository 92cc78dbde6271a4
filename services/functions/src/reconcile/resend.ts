import { HOUR_MS, type ResendJob, resendJob } from '@onward/contract'
import { compileCheck, type Log, onFirstUse } from '@onward/runtime'
import { requestComparison, requestComparisonOf, resendCalls, type Span } from '../db/reconciliation.ts'
import type { Db } from '../db/tables.ts'
import type { FunctionsMetrics } from '../metrics.ts'

type ResendParts = {
  readonly db: Db
  readonly config: { readonly taskBatchMax: number }
  readonly metrics: Pick<FunctionsMetrics, 'resent'>
}

/** Number of tasks in one statement. */
const PAGE = 5_000

/**
 * Puts the tasks of a span that follow the call `after` into the outbox again, in pages: at most `max` tasks, a multiple of 5,000. Returns
 * the last call, or null if no task is left. Throws when `signal` aborts.
 */
export async function resendTasks(
  { db, config, metrics }: ResendParts,
  span: Span,
  after: string | null,
  max: number,
  signal?: AbortSignal,
): Promise<{ tasks: number; sentAt: Date; last: string | null }> {
  let tasks = 0
  for (;;) {
    signal?.throwIfAborted()
    const page = await resendCalls(db, span, after, PAGE, config.taskBatchMax)
    tasks += page.tasks
    metrics.resent.inc(page.tasks)
    after = page.last
    if (page.tasks < PAGE) return { tasks, sentAt: page.sentAt, last: null }
    if (tasks >= max) return { tasks, sentAt: page.sentAt, last: after }
  }
}

const check = onFirstUse(() => compileCheck(resendJob, 'strict'))

/**
 * Sends the tasks of the hours in a message again, then requests a comparison, which shows whether that helped. A message without hours
 * only requests a comparison. An invalid message is logged and dropped: insights sends another one after the next comparison.
 */
export async function takeResend(parts: ResendParts & { readonly log: Log }, data: unknown, signal: AbortSignal): Promise<void> {
  const problems = check(data)
  if (problems.length > 0) return parts.log.error({ problems }, 'an invalid request for tasks was dropped')
  const hours = (data as ResendJob).hours.map((hour) => new Date(hour))
  if (hours.length === 0) return await requestComparison(parts.db)
  let tasks = 0
  for (const hour of hours) {
    const span = { since: hour, until: new Date(+hour + HOUR_MS) }
    tasks += (await resendTasks(parts, span, null, Number.POSITIVE_INFINITY, signal)).tasks
  }
  parts.log.warn({ hours, tasks }, 'sent the tasks of some hours to insights again')
  await requestComparisonOf(parts.db, hours)
}

import { HOUR_MS, type ResendJob, resendJob, type TaskHoursJob } from '@onward/contract'
import { compileCheck, inTime, type Log, onFirstUse, QUEUE_TIMEOUT_MS, type Queue } from '@onward/runtime'
import { readPending, requestComparison, requestComparisonOf, resendCalls, type Span } from '../db/reconciliation.ts'
import type { Db } from '../db/tables.ts'
import type { FunctionsMetrics } from '../metrics.ts'
import { readConfirmedHours } from './publish-hours.ts'

type ResendParts = {
  readonly db: Db
  readonly config: { readonly taskBatchMax: number }
  readonly metrics: Pick<FunctionsMetrics, 'resent'>
}

/** Number of tasks in one statement. */
const PAGE = 5_000

/** Puts the tasks of a span into the outbox again, in pages. Returns their number. Throws when `signal` aborts. */
export async function resendTasks({ db, config, metrics }: ResendParts, span: Span, signal: AbortSignal): Promise<number> {
  let tasks = 0
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const page = await resendCalls(db, span, after, PAGE, config.taskBatchMax)
    tasks += page.tasks
    metrics.resent.inc(page.tasks)
    if (page.tasks < PAGE) return tasks
    after = page.last
  }
}

const check = onFirstUse(() => compileCheck(resendJob, 'strict'))

type Parts = ResendParts & { readonly log: Log; readonly taskHours: Queue<TaskHoursJob> }

/**
 * Sends the tasks of the hours in a message again, then requests a comparison, which shows whether that helped. A message without hours
 * only requests a comparison. An invalid message is logged and dropped: insights sends another one after the next comparison.
 */
export async function takeResend(parts: Parts, data: unknown, signal: AbortSignal): Promise<void> {
  const problems = check(data)
  if (problems.length > 0) return parts.log.error({ problems }, 'an invalid request for tasks was dropped')
  const { hours: names, run } = data as ResendJob
  if (run !== undefined) return await publishRun(parts, run, signal)
  const hours = names.map((hour) => new Date(hour))
  if (hours.length === 0) return await requestComparison(parts.db)
  let tasks = 0
  for (const hour of hours) tasks += await resendTasks(parts, { since: hour, until: new Date(+hour + HOUR_MS) }, signal)
  parts.log.warn({ hours, tasks }, 'sent the tasks of some hours to insights again')
  await requestComparisonOf(parts.db, hours)
}

/** Publishes the tasks of a part of a comparison that somebody started. Throws if insights does not confirm them; then the queue retries. */
async function publishRun(parts: Parts, { id, since, until, resend }: NonNullable<ResendJob['run']>, signal: AbortSignal): Promise<void> {
  const span = { since: new Date(since), until: new Date(until) }
  const resent_tasks = resend ? await resendTasks(parts, span, signal) : null
  // Open calls are read first: a call that ends between the two reads then appears in both rather than in neither.
  const { openCalls } = await readPending(parts.db, span.until)
  const hours = await readConfirmedHours(parts.db, span, signal)
  if (hours === undefined) throw new Error('insights has not confirmed the tasks of a span')
  const run = { id, resent_tasks, open_calls: openCalls }
  await inTime(QUEUE_TIMEOUT_MS, parts.taskHours.add({ data: { since, until, hours, resent: resend ? [since] : [], run } }))
}

import { resendCalls, type Span } from '../db/reconciliation.ts'
import type { Db } from '../db/tables.ts'
import type { FunctionsMetrics } from '../metrics.ts'

export type ResendParts = {
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

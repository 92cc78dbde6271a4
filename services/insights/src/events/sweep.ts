import type { Context } from '../context.ts'
import { takeOverdue } from '../db/deliveries.ts'
import { enqueue } from './enqueue.ts'

const PAGE = 500

/** Puts deliveries back in the queue that are due while their job is gone: Redis was emptied, or was away when they were made. */
export async function sweep(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const overdue = await takeOverdue(ctx.db, ctx.timing.overdueMs, PAGE)
    await enqueue(
      ctx,
      overdue.map(({ id, attempts }) => ({ delivery_id: id, attempt: attempts + 1 })),
      0,
    )
    ctx.counters.requeued.inc(overdue.length)
    if (overdue.length < PAGE) return
  }
}

import type { Context } from '../context.ts'
import { failPending, findOverdue } from '../db/deliveries.ts'
import type { Courier } from './courier.ts'

const PAGE = 500
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Finds what is due while its job is gone: Redis was emptied, or was away when it was made, or a process died. Every process does, and
 * each delivery is claimed by one. What was made in the moment in which its subscription went away is given up.
 */
export async function sweep(ctx: Context, courier: Courier, signal: AbortSignal): Promise<void> {
  for (let after = BEFORE_ALL; !signal.aborted; ) {
    const found = await findOverdue(ctx.db, ctx.timing.overdueMs, after, PAGE)
    for (const { id, live } of found) if (!live) await failPending(ctx.db, id, 'the subscription was deleted or disabled')
    const live = found.filter((each) => each.live).map((each) => each.id)
    ctx.counters.requeued.inc(live.length)
    await courier.wake(live)
    const last = found.at(-1)
    if (last === undefined || found.length < PAGE) return
    after = last.id
  }
}

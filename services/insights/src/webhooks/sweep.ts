import { failPending } from '../db/deliveries.ts'
import { findOverdue } from '../db/delivery-attempts.ts'
import type { Db } from '../db/tables.ts'
import type { Counters } from '../metrics.ts'
import type { Dispatcher } from './dispatcher.ts'

const PAGE = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type Parts = {
  readonly db: Db
  readonly counters: Counters
  readonly config: { readonly webhooks: { readonly overdueMs: number } }
}

/**
 * Sends due deliveries whose queue job was lost, because the queue's store was emptied or unreachable, or because a process died. Every
 * process does this; claims ensure that only one of them sends a delivery. Deliveries that were created while their subscription was being
 * deleted or disabled are marked as failed.
 */
export async function sweep({ db, counters, config }: Parts, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> {
  for (let after = FIRST_ID; !signal.aborted; ) {
    const found = await findOverdue(db, config.webhooks.overdueMs, after, PAGE)
    for (const { id, active } of found) if (!active) await failPending(db, id, 'the subscription was deleted or disabled')
    const ids = found.filter((each) => each.active).map((each) => each.id)
    counters.overdue.inc(ids.length)
    await dispatcher.wake(ids)
    const last = found.at(-1)
    if (last === undefined || found.length < PAGE) return
    after = last.id
  }
}

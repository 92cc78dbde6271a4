import { FIRST_ID, failPending, listPendingSubscriptions } from '../db/deliveries.ts'
import { findInactive, findOverdue } from '../db/delivery-attempts.ts'
import type { Db } from '../db/tables.ts'
import type { Counters } from '../metrics.ts'
import type { Dispatcher } from './dispatcher.ts'

/** Maximum number of subscriptions that one statement inspects. */
const PAGE = 500
/** Maximum number of deliveries that one transaction marks as failed. */
const FAILED_MAX = 1_000

type Parts = {
  readonly db: Db
  readonly counters: Counters
  readonly config: { readonly webhooks: { readonly overdueMs: number } }
}

/**
 * Sends due deliveries whose queue job was lost, because the queue's store was emptied or unreachable, or because a process died. Every
 * process does this; claims ensure that only one of them sends a delivery.
 */
export async function sweep({ db, counters, config }: Parts, dispatcher: Dispatcher, signal: AbortSignal): Promise<void> {
  for await (const page of pendingPages(db, signal)) {
    const ids = await findOverdue(db, config.webhooks.overdueMs, page)
    counters.overdue.inc(ids.length)
    await dispatcher.wake(ids)
  }
}

/**
 * Marks the pending deliveries of disabled and deleted subscriptions as failed, in pages, because there can be millions. Also finds
 * deliveries that were created while their subscription was being disabled or deleted. After a crash, another process continues.
 */
export async function failInactive({ db }: { readonly db: Db }, signal: AbortSignal): Promise<void> {
  for await (const page of pendingPages(db, signal)) {
    for (const id of await findInactive(db, page)) {
      while (!signal.aborted && (await failPending(db, id, FAILED_MAX)) === FAILED_MAX);
    }
  }
}

/** Yields the subscriptions with pending deliveries, page by page, until `signal` aborts. */
async function* pendingPages(db: Db, signal: AbortSignal): AsyncGenerator<string[]> {
  for (let after = FIRST_ID; !signal.aborted; ) {
    const ids = await listPendingSubscriptions(db, after, PAGE)
    const last = ids.at(-1)
    if (last === undefined) return
    yield ids
    if (ids.length < PAGE) return
    after = last
  }
}

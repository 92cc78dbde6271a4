import type { EndedRightsJob } from '@onward/contract'
import { inTime, QUEUE_TIMEOUT_MS, type Queue } from '@onward/runtime'
import { deleteEnded, type EndedRight, leaseEnded } from '../db/ended-rights.ts'
import type { Db } from '../db/tables.ts'

/** Maximum number of messages that one query leases: they are published within the lease. */
const PAGE = 50

type Parts = { readonly db: Db; readonly endedRightsQueue: Queue<EndedRightsJob> }

/** Publishes the messages about ended sessions and rights that are due, until functions has stored them. Rejects when the queue is down. */
export async function publishEnded(parts: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await leaseEnded(parts.db, PAGE)
    for (const each of due) await inTime(QUEUE_TIMEOUT_MS, publish(parts, each))
    if (due.length < PAGE) return
  }
}

/** Adds the job of a message, or deletes the message if its job is completed. */
async function publish({ db, endedRightsQueue }: Parts, { id, message }: EndedRight): Promise<void> {
  const state = await endedRightsQueue.state(id)
  if (state === 'completed') return await deleteEnded(db, id)
  if (state === 'pending') return
  if (state === 'failed') await endedRightsQueue.remove(id)
  await endedRightsQueue.add({ id, data: message })
}

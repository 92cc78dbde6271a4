import { type Retained, retainPartitions } from '@onward/runtime'
import type { Context } from '../context.ts'
import { longestPeriod, moveKeptSince } from '../db/event-retention.ts'
import { readNow } from '../db/now.ts'
import { deleteOldDeliveries } from '../db/old-deliveries.ts'
import { deleteOldQuarantine } from '../db/quarantine.ts'
import { DAY_MS } from '../usage/period.ts'
import { EVENTS } from './events.ts'

/** Days for which events may come late and must be known again. */
const LATE_DAYS = 35
/** Who looks into a webhook that went wrong, or into a task that was refused, does so within three months. */
const KEPT_DAYS = 90
const STEP = 1_000
const STEPS_MAX = 2_000

export type RetentionRun = Retained & { readonly quarantineDeleted: number; readonly deliveriesDeleted: number }

/**
 * Makes partitions of events ahead and drops those that are too old; deletes what has been in quarantine for 90 days, and deliveries of
 * more than 90 days ago that came to an end. Any process may do it at any time. Once the signal aborts no further step is begun.
 */
export async function retain(ctx: Context, signal?: AbortSignal): Promise<RetentionRun> {
  const days = Math.max(ctx.config.eventsKeptDays, LATE_DAYS, await longestPeriod(ctx.db))
  const retained = await retainPartitions(ctx.db, EVENTS, days, signal, async (before) => await moveKeptSince(ctx.db, before))
  const before = new Date(+(await readNow(ctx.db)) - KEPT_DAYS * DAY_MS)
  return {
    ...retained,
    quarantineDeleted: await inSteps(async () => await deleteOldQuarantine(ctx.db, before, STEP), signal),
    deliveriesDeleted: await inSteps(async () => await deleteOldDeliveries(ctx.db, before, STEP), signal),
  }
}

/** Repeats a step until it finds less than it could take, or for this turn enough. */
async function inSteps(step: () => Promise<number>, signal: AbortSignal | undefined): Promise<number> {
  let total = 0
  for (let i = 0; i < STEPS_MAX && signal?.aborted !== true; i++) {
    const done = await step()
    total += done
    if (done < STEP) break
  }
  return total
}

import { deleteOldAudit } from '@onward/access'
import { DAY_MS } from '@onward/contract'
import { type Retained, retainPartitions } from '@onward/runtime'
import type { Config } from '../config.ts'
import { longestPeriod } from '../db/applications.ts'
import { deleteEndedSessions } from '../db/console-sessions.ts'
import { deleteOldDeliveries } from '../db/deliveries.ts'
import { deleteOldEmbedSessions } from '../db/embed-sessions.ts'
import { deleteOldDropped, deleteOldQuarantine } from '../db/quarantine.ts'
import { deleteOldReceived } from '../db/received-events.ts'
import { deleteOldReplays } from '../db/replays.ts'
import { deleteExpiredListeners } from '../db/subscriptions.ts'
import { type Db, readNow } from '../db/tables.ts'
import { EVENT_PARTITIONS, raiseKeptSince } from '../db/task-events.ts'

/** Events can arrive again this many days later, and must still be recognized as repeated. */
const LATE_DAYS = 35
/** How long finished deliveries and quarantined events can be looked up. */
const KEPT_DAYS = 90
/** Maximum number of rows that one step deletes. */
const STEP = 1_000
const MAX_STEPS = 2_000

type RetentionRun = Retained & { readonly quarantineDeleted: number; readonly deliveriesDeleted: number }

/**
 * Creates partitions of task events ahead of time and drops old ones. Deletes entries of quarantine and finished deliveries that are older
 * than 90 days, replays that ended 90 days ago, ids of events that arrived 35 days ago, expired listeners, ended sessions, and old entries of the audit log. Any process may run this
 * at any time. Starts no further step after `signal` has aborted.
 */
export async function retain(
  { slowDb: db, config }: { readonly slowDb: Db; readonly config: Config },
  signal?: AbortSignal,
): Promise<RetentionRun> {
  const days = Math.max(config.eventsKeptDays, LATE_DAYS, await longestPeriod(db))
  const retained = await retainPartitions(db, EVENT_PARTITIONS, days, signal, async (before) => await raiseKeptSince(db, before))
  const now = await readNow(db)
  const before = new Date(+now - KEPT_DAYS * DAY_MS)
  await deleteOldDropped(db, before)
  await deleteOldReplays(db, before)
  await deleteExpiredListeners(db)
  await deleteOldAudit(db)
  await deleteEndedSessions(db)
  await inSteps(async () => await deleteOldEmbedSessions(db, STEP), signal)
  await inSteps(async () => await deleteOldReceived(db, new Date(+now - LATE_DAYS * DAY_MS), STEP), signal)
  return {
    ...retained,
    quarantineDeleted: await inSteps(async () => await deleteOldQuarantine(db, before, STEP), signal),
    deliveriesDeleted: await inSteps(async () => await deleteOldDeliveries(db, before, STEP), signal),
  }
}

/** Repeats a step until it deletes fewer rows than `STEP`, at most 2,000 times. The next run deletes the rest. */
async function inSteps(step: () => Promise<number>, signal: AbortSignal | undefined): Promise<number> {
  let total = 0
  for (let i = 0; i < MAX_STEPS && signal?.aborted !== true; i++) {
    const done = await step()
    total += done
    if (done < STEP) break
  }
  return total
}

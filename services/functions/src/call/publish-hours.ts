import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS, readHours, type TaskHour, type TaskHoursJob } from '@onward/contract'
import { inTime, type Log, QUEUE_TIMEOUT_MS, type Queue } from '@onward/runtime'
import {
  type Comparison,
  claimComparison,
  endComparison,
  noticeRestart,
  postponeComparison,
  readPending,
  readTaskHours,
  type Span,
} from '../db/reconciliation.ts'
import type { Db } from '../db/tables.ts'

type PublishParts = {
  readonly db: Db
  readonly config: { readonly reconcileEveryMs: number }
  readonly taskHours: Queue<TaskHoursJob>
  readonly log: Log
}

/** Number of hours that are compared, with the last, incomplete one. Calls and task events are stored for at least two days. */
const HOURS = 48
/** A call attempt becomes visible within this time, unless Postgres is down. */
const SETTLE_MS = 10_000
/** Maximum age of the oldest outbox row. If it is older, insights has a backlog, and comparing would only add to the load. */
const BACKLOG_MS = 60_000
/** How long to wait until insights has confirmed the tasks that were read. */
const CONFIRM_MS = 120_000
const POLL_MS = 500
/** Time until the next attempt if insights has not confirmed. */
const RETRY_MS = 60_000

/**
 * Publishes the tasks of the last two days, hour by hour, if a comparison is due. One process does this for all. It is due at an interval,
 * after tasks were sent again, and after Postgres was restarted or replaced. Throws after a failure; then the claim expires.
 */
export async function publishHours(parts: PublishParts, signal: AbortSignal): Promise<void> {
  if (await noticeRestart(parts.db)) parts.log.info('Postgres was restarted or replaced; the tasks will be compared with insights soon')
  const comparison = await claimComparison(parts.db, Math.min(SETTLE_MS, parts.config.reconcileEveryMs))
  if (comparison === undefined) return
  const job = await readLastHours(parts.db, comparison, signal)
  if (job === undefined) {
    parts.log.info('tasks were not compared with insights, because it has not confirmed all of them; trying again soon')
    return await postponeComparison(parts.db, comparison, RETRY_MS)
  }
  await inTime(QUEUE_TIMEOUT_MS, parts.taskHours.add({ data: job }))
  await endComparison(parts.db, comparison, parts.config.reconcileEveryMs)
}

/** Returns the tasks of the last two days; undefined if insights has a backlog, or does not confirm them. */
async function readLastHours(db: Db, { until, resent }: Comparison, signal: AbortSignal): Promise<TaskHoursJob | undefined> {
  const before = await readPending(db, until)
  if (before.outboxOldestAt !== null && +before.now - +before.outboxOldestAt > BACKLOG_MS) return undefined
  const since = new Date((Math.floor(+until / HOUR_MS) - HOURS + 1) * HOUR_MS)
  const hours = await readConfirmedHours(db, { since, until }, signal)
  if (hours === undefined) return undefined
  return { since: since.toISOString(), until: until.toISOString(), hours, resent: resent.map((hour) => hour.toISOString()) }
}

/**
 * Returns the tasks per hour of a span once insights has confirmed all of them; undefined if that takes too long or `signal` aborts. Checks
 * the outbox after reading: a task that was read, and is not in the outbox, is confirmed.
 */
export async function readConfirmedHours(db: Db, { since, until }: Span, signal: AbortSignal): Promise<TaskHour[] | undefined> {
  const hours = await readHours(since, until, (from, to) => readTaskHours(db, from, to), signal)
  const { now: readAt } = await readPending(db, until)
  const deadline = performance.now() + CONFIRM_MS
  while (!signal.aborted && performance.now() < deadline) {
    const { outboxOldestAt } = await readPending(db, until)
    if (outboxOldestAt === null || outboxOldestAt > readAt) return hours
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
  return undefined
}

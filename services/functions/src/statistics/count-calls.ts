import { HOUR_MS } from '@onward/contract'
import { type Retained, retainPartitions } from '@onward/runtime'
import * as hours from '../db/call-statistics.ts'
import { CALL_LOG } from '../db/calls.ts'
import { deleteOldRefusedCalls } from '../db/refused-calls.ts'
import type { Db } from '../db/tables.ts'
import { mergeGroups } from './call-groups.ts'

/** `hourRows` and `refusedRows` are the numbers of rows of `call_hour` and `refused_call` that were deleted. */
type RetainedCalls = Retained & { readonly hourRows: number; readonly refusedRows: number }

/**
 * The hourly maintenance of the calls log: creates and drops its partitions, counts the calls of finished hours, and deletes old counts and
 * refused calls. Any process may run this at any time. After `signal` aborts, no further step begins.
 */
export async function retainCalls(db: Db, keptDays: number, signal?: AbortSignal): Promise<RetainedCalls> {
  const retained = await retainPartitions(db, CALL_LOG, keptDays, signal)
  await countHours(db, await hours.findUncountedHours(db, keptDays), signal)
  const refusedRows = await deleteOldRefusedCalls(db, keptDays, signal)
  return { ...retained, refusedRows, hourRows: signal?.aborted === true ? 0 : await hours.deleteOldHours(db, keptDays) }
}

/** Counts the calls of each hour. Hours without calls are skipped in one step: a log can have thousands of them. */
async function countHours(db: Db, newestFirst: readonly Date[], signal: AbortSignal | undefined): Promise<void> {
  for (let at = 0; at < newestFirst.length && signal?.aborted !== true; ) {
    const hour = newestFirst[at] as Date
    const withCalls = await hours.findHourWithCalls(db, new Date(+hour + HOUR_MS))
    if (withCalls !== undefined && +withCalls === +hour) {
      if (!(await countHour(db, hour))) return
      at++
    } else {
      const empty = newestFirst.slice(at).filter((each) => withCalls === undefined || each > withCalls)
      await hours.markCounted(db, empty)
      at += empty.length
    }
  }
}

/** Counts the calls of an hour again. Returns false if another process is counting. */
async function countHour(db: Db, hour: Date): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    if (!(await hours.lockCounting(tx))) return false
    const counted = new Map<string, hours.CallGroup>()
    await hours.readCallGroups(tx, hour, new Date(+hour + HOUR_MS), (groups) => mergeGroups(counted, groups))
    await hours.replaceHour(tx, hour, [...counted.values()])
    return true
  })
}

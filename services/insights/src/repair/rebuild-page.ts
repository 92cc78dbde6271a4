import type { Context } from '../context.ts'
import { holdKeptSince } from '../db/event-retention.ts'
import { pageAnchored } from '../db/recount.ts'
import type { UserKey } from '../db/users.ts'
import { sendDue } from '../usage/send-due.ts'
import { compareUsage } from './compare-usage.ts'
import { correctUsers } from './correct-users.ts'

/** Users of one page: they share one look through all events. */
const PAGE = 5_000
/** Users who are locked together while they are put right: their tasks are counted only after a look through all events. */
const CORRECTED = 50

export type Rebuilt = {
  readonly users: number
  readonly windows: number
  readonly days: number
  readonly differing: number
  readonly corrected: number
  /** The last user of the page; undefined after the last page. */
  readonly last: UserKey | undefined
}

/**
 * Compares what the next users consumed with their events and, unless `dryRun`, puts right what differs. The comparison reads a snapshot
 * and holds nobody up; only users who differ are locked, and compared again, to be put right.
 */
export async function rebuildPage(ctx: Context, appKey: string | undefined, after: UserKey, dryRun: boolean): Promise<Rebuilt> {
  const { users, compared } = await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const keptSince = await holdKeptSince(tx)
      const page = await pageAnchored(tx, appKey, after, PAGE)
      return { users: page, compared: await compareUsage(tx, page, keptSince) }
    })
  const differing = compared.wrongWindows.length + compared.wrongDays.length
  ctx.counters.differing.inc(differing)
  const wrong = new Map(
    [...compared.wrongWindows, ...compared.wrongDays].map(({ appKey, userId }) => [`${appKey}\0${userId}`, { appKey, userId }]),
  )
  const keys = dryRun ? [] : [...wrong.values()]
  let corrected = 0
  for (let start = 0; start < keys.length; start += CORRECTED) {
    const done = await ctx.db.transaction().execute(async (tx) => await correctUsers(tx, keys.slice(start, start + CORRECTED)))
    await sendDue(ctx, done.due)
    corrected += done.corrected
  }
  ctx.counters.corrected.inc(corrected)
  const { windows, days } = compared
  return { users: users.length, windows, days, differing, corrected, last: users.length === PAGE ? users.at(-1) : undefined }
}

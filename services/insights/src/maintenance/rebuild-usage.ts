import type { UserKey } from '@onward/runtime'
import { shareApplications } from '../db/applications.ts'
import { readUsages } from '../db/periods.ts'
import { pageAnchored, setDays, setEnds, setPeriods } from '../db/recount.ts'
import type { Db } from '../db/tables.ts'
import { lockKeptSince } from '../db/task-events.ts'
import { keyText, lockUsers } from '../db/users.ts'
import type { Counters } from '../metrics.ts'
import { type FollowUp, joinFollowUps, type RunFollowUp } from '../usage/follow-up.ts'
import { applyPending, checkLevels, withWorkspaces } from '../usage/locked-users.ts'
import { compareUsage } from './compare-usage.ts'

/** Number of users on one page. All of them share one scan of the task events. */
const PAGE = 5_000
/** Number of users that are locked and corrected together. While their events are read, new tasks of these users wait. */
const CORRECTED = 50

type Rebuilt = {
  readonly users: number
  readonly periods: number
  readonly days: number
  readonly differing: number
  readonly corrected: number
  /** The last user of the page. Undefined: there are no more users. */
  readonly last: UserKey | undefined
}

/**
 * Compares the stored usage of the next users with their task events and, unless `dryRun`, corrects differences. The comparison reads a
 * snapshot and locks nothing. Only users with differences are locked, compared again and corrected.
 */
export async function rebuildPage(
  { db, counters, runFollowUp }: { readonly db: Db; readonly counters: Counters; readonly runFollowUp: RunFollowUp },
  onlyAppKey: string | undefined,
  after: UserKey,
  dryRun: boolean,
): Promise<Rebuilt> {
  const { users, compared } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const keptSince = await lockKeptSince(tx)
      const page = await pageAnchored(tx, onlyAppKey, after, PAGE)
      return { users: page, compared: await compareUsage(tx, page, keptSince) }
    })
  const wrong = [...compared.wrongPeriods, ...compared.wrongDays]
  counters.differing.inc(wrong.length)
  const keys = dryRun ? [] : [...new Map(wrong.map((each) => [keyText(each), each])).values()]
  let corrected = 0
  for (let start = 0; start < keys.length; start += CORRECTED) {
    const done = await db.transaction().execute(async (tx) => await correctUsers(tx, keys.slice(start, start + CORRECTED)))
    await runFollowUp(done.followUp)
    corrected += done.corrected
  }
  counters.corrected.inc(corrected)
  const { periods, days } = compared
  const last = users.length === PAGE ? users.at(-1) : undefined
  return { users: users.length, periods, days, differing: wrong.length, corrected, last }
}

/**
 * Corrects the periods and days of users, then checks their levels as after a limit change. Returns the number of corrected periods and
 * days.
 */
async function correctUsers(tx: Db, keys: readonly UserKey[]): Promise<{ corrected: number; followUp: FollowUp }> {
  const keptSince = await lockKeptSince(tx)
  await shareApplications(tx, [...new Set(keys.map(({ appKey }) => appKey))])
  const locked = await lockUsers(tx, keys)
  const anchored = locked.flatMap(({ appKey, userId, anchor }) => (anchor === null ? [] : [{ appKey, userId, anchor }]))
  const { wrongPeriods, wrongDays } = await compareUsage(tx, anchored, keptSince)
  // Corrects the ends before it applies pending limit changes: these need exactly one current period per user. Corrects the figures
  // afterwards: pending limit changes need what was consumed before the correction.
  if (wrongPeriods.length > 0) await setEnds(tx, wrongPeriods)
  const applied = await applyPending(tx, await withWorkspaces(tx, locked))
  let { followUp } = applied
  if (wrongPeriods.length > 0) await setPeriods(tx, wrongPeriods)
  if (wrongDays.length > 0) await setDays(tx, wrongDays)

  const usages = await readUsages(tx, applied.users)
  for (const [appKey, workspace] of new Map(applied.users.map((user) => [user.appKey, user.workspace]))) {
    if (workspace === undefined) continue
    const ofApplication = usages.filter((usage) => usage.appKey === appKey)
    followUp = joinFollowUps(followUp, await checkLevels(tx, ofApplication, workspace))
  }
  return { corrected: wrongPeriods.length + wrongDays.length, followUp }
}

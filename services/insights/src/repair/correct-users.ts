import { shareApplications } from '../db/applications.ts'
import { holdKeptSince } from '../db/event-retention.ts'
import { readUsages } from '../db/periods.ts'
import { setDays, setEnds, setWindows } from '../db/recount.ts'
import type { Db } from '../db/tables.ts'
import { lockUsers, type UserKey } from '../db/users.ts'
import { catchUp } from '../usage/catch-up.ts'
import { addDue, type Due } from '../usage/due.ts'
import { recheckLevels } from '../usage/recheck.ts'
import { withOwners } from '../usage/with-owners.ts'
import { compareUsage } from './compare-usage.ts'

/**
 * Puts right what users consumed and where their windows end, and looks at their levels as after a change of their limit. Gives how many
 * windows and days it put right.
 */
export async function correctUsers(tx: Db, keys: readonly UserKey[]): Promise<{ corrected: number; due: Due }> {
  const keptSince = await holdKeptSince(tx)
  await shareApplications(tx, [...new Set(keys.map(({ appKey }) => appKey))])
  const locked = await lockUsers(tx, keys)
  const anchored = locked.flatMap(({ appKey, userId, anchor }) => (anchor === null ? [] : [{ appKey, userId, anchor }]))
  const { wrongWindows, wrongDays } = await compareUsage(tx, anchored, keptSince)
  // First of all: changes on their way find one current window of a user, but what was consumed before it was put right.
  if (wrongWindows.length > 0) await setEnds(tx, wrongWindows)
  const caught = await catchUp(tx, await withOwners(tx, locked))
  const { users } = caught
  let { due } = caught
  if (wrongWindows.length > 0) await setWindows(tx, wrongWindows)
  if (wrongDays.length > 0) await setDays(tx, wrongDays)

  const usages = await readUsages(tx, users)
  for (const [appKey, partner] of new Map(users.map((user) => [user.appKey, user.partner]))) {
    if (partner === undefined) continue
    const ofApplication = usages.filter((usage) => usage.appKey === appKey)
    due = addDue(due, await recheckLevels(tx, ofApplication, partner))
  }
  return { corrected: wrongWindows.length + wrongDays.length, due }
}

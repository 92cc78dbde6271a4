import { DAY_MS } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import { type Application, readBlockingApplications } from '../db/applications.ts'
import { type Blocking, changeBlocking } from '../db/blocking.ts'
import type { StoredUsage } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { currentPeriod, newestDays, type Period } from '../rules/period.ts'
import { effectiveLimit } from '../rules/status.ts'

/** Blocks and unblocks locked users according to their limit, period and application. Returns the changes, to publish after the commit. */
export async function updateBlocking(tx: Db, usages: readonly StoredUsage[]): Promise<Blocking[]> {
  const applications = await readBlockingApplications(tx, [...new Set(usages.map((usage) => usage.appKey))])
  if (applications.size === 0) return []
  const wanted = usages.flatMap((usage) => {
    const application = applications.get(usage.appKey)
    if (application === undefined) return []
    const { appKey, userId } = usage
    const blockedUntil = endOfBlock(usage, effectiveLimit(usage, application), application)
    return [{ appKey, userId, blockedUntil, begun: usage.anchor !== null }]
  })
  return await changeBlocking(tx, wanted)
}

/** A period to which tasks were just added. The user's application must block users. */
type CountedPeriod = UserKey & Period & { readonly anchor: Date; readonly consumed: number; readonly limit: number | null }

/**
 * Does the same as `updateBlocking` for periods that were just counted, without reading them again. Late tasks of an earlier period change
 * nothing.
 */
export async function updateBlockingOfCounted(tx: Db, periods: readonly CountedPeriod[], now: Date): Promise<Blocking[]> {
  const wanted = periods.flatMap(({ appKey, userId, anchor, startsAt, endsAt, consumed, limit }) => {
    // As in `IS_CURRENT`: the first period is current even before it begins.
    const at = anchor > now ? anchor : now
    if (limit === null || startsAt > at || endsAt <= at) return []
    return [{ appKey, userId, blockedUntil: consumed >= limit ? endsAt : null, begun: true }]
  })
  return wanted.length === 0 ? [] : await changeBlocking(tx, wanted)
}

/**
 * Returns the end of the current period if its limit is reached, else null. A limit of 0 is reached from the start; before the first task
 * it blocks for one period from now.
 */
function endOfBlock(usage: StoredUsage, limit: number | null, application: Application): Date | null {
  if (application.onLimit === 'allow' || limit === null || (usage.period?.consumed ?? 0) < limit) return null
  const current = currentPeriod(usage, application.limitPeriods)
  return current?.endsAt ?? new Date(usage.now.getTime() + newestDays(application.limitPeriods) * DAY_MS)
}

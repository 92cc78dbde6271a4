import type { OwnedApplication } from '../db/applications.ts'
import type { UsageItem } from '../db/usage-pages.ts'
import { effectiveLimit } from './limit.ts'
import { DAY_MS, newestDays, windowAt } from './period.ts'
import type { Usage } from './status.ts'

/** What a user of a provisioned application has used of the limit that holds, in the window that is current. */
export function usageOf(usage: UsageItem, application: OwnedApplication): Usage {
  const { limitPeriods } = application
  const limit = effectiveLimit(usage, application)
  // @NOTE provisioning gives every user of an application a limit, and no user without one is added to it afterwards.
  if (limit === null) throw new Error('a user of a provisioned application has no limit')
  const consumed = usage.period?.consumed ?? 0
  if (usage.anchor === null) return { userId: usage.userId, limit, consumed, days: newestDays(limitPeriods), endsAt: null }
  const { startsAt, endsAt } = usage.period ?? windowAt(usage.anchor, limitPeriods, usage.now)
  return { userId: usage.userId, limit, consumed, days: Math.round((endsAt.getTime() - startsAt.getTime()) / DAY_MS), endsAt }
}

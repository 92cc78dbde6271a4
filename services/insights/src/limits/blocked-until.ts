import type { Application } from '../db/applications.ts'
import type { CurrentUsage } from '../db/periods.ts'
import { DAY_MS, newestDays, windowAt } from '../usage/period.ts'

/**
 * Until when a user is blocked: the end of the window that is current once its limit is used up, else null. A limit of 0 is used up
 * from the first; while no window has begun, it ends a period from now.
 */
export function blockedUntil(usage: CurrentUsage, limit: number | null, application: Application): Date | null {
  const { anchor, period, now } = usage
  if (application.onLimit === 'allow' || limit === null || (period?.consumed ?? 0) < limit) return null
  if (period !== null) return period.endsAt
  if (anchor !== null) return windowAt(anchor, application.limitPeriods, now).endsAt
  return new Date(now.getTime() + newestDays(application.limitPeriods) * DAY_MS)
}

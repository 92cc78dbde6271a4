export const DAY_MS = 86_400_000

/** A length of the limit period, in days, and when it was set. Only the first of a list has no `from`. */
export type LimitPeriod = { readonly days: number; readonly from: Date | null }

export type Window = { readonly startsAt: Date; readonly endsAt: Date }

/** A user's first calls are counted in any order: those that began this little before the anchor belong to the window that it begins. */
export const GRACE_MS = 5 * 60_000

/**
 * The window that a time lies in. Windows are counted from the anchor, in UTC; those before it are windows −1, −2 … of the first length.
 * A new length starts when the window that was current at the change ends; of two changes in one window the later one wins.
 */
export function windowAt(anchor: Date, periods: readonly LimitPeriod[], at: Date): Window {
  let start = anchor.getTime()
  const time = at.getTime() < start && at.getTime() >= start - GRACE_MS ? start : at.getTime()
  for (const [i, { days }] of periods.entries()) {
    const length = days * DAY_MS
    const changedAt = periods[i + 1]?.from?.getTime()
    if (changedAt !== undefined && changedAt <= start) continue
    const end = changedAt === undefined ? Number.POSITIVE_INFINITY : start + (Math.floor((changedAt - start) / length) + 1) * length
    if (time < end) return nthWindow(start, length, Math.floor((time - start) / length))
    start = end
  }
  throw new Error('an application has no limit period')
}

/** The length, in days, of the window that begins with a user's first task, should it come now. */
export function newestDays(periods: readonly LimitPeriod[]): number {
  const newest = periods.at(-1)
  if (newest === undefined) throw new Error('an application has no limit period')
  return newest.days
}

function nthWindow(start: number, length: number, n: number): Window {
  return { startsAt: new Date(start + n * length), endsAt: new Date(start + (n + 1) * length) }
}

import { DAY_MS } from '@onward/contract'

/** Default length of the limit period, in days. */
export const DEFAULT_DAYS = 30

/** A length of the limit period, in days, and when it was set. Only the first of a list has no `from`. */
export type LimitPeriod = { readonly days: number; readonly from: Date | null }

export type Period = { readonly startsAt: Date; readonly endsAt: Date }

/**
 * A user's first tasks can be counted in any order. So tasks that occurred at most this long before the anchor, the start of the user's
 * first period, belong to the first period.
 */
export const GRACE_MS = 5 * 60_000

/**
 * Returns the period that contains a time. Periods are counted from the anchor, in UTC; earlier ones have the first length. A new length
 * applies from the end of the period in which it was set. Of two changes in one period, the later one applies.
 */
export function periodAt(anchor: Date, lengths: readonly LimitPeriod[], at: Date): Period {
  let start = anchor.getTime()
  const time = at.getTime() < start && at.getTime() >= start - GRACE_MS ? start : at.getTime()
  for (const [i, { days }] of lengths.entries()) {
    const length = days * DAY_MS
    const changedAt = lengths[i + 1]?.from?.getTime()
    if (changedAt !== undefined && changedAt <= start) continue
    const end = changedAt === undefined ? Number.POSITIVE_INFINITY : start + (Math.floor((changedAt - start) / length) + 1) * length
    if (time < end) return nthPeriod(start, length, Math.floor((time - start) / length))
    start = end
  }
  throw new Error('an application has no limit period')
}

/** Returns the period in which a user is now; null before the first task. `period` is the stored one, if it is the current one. */
export function currentPeriod<P extends Period>(
  { anchor, period, now }: { readonly anchor: Date | null; readonly period: P | null; readonly now: Date },
  lengths: readonly LimitPeriod[],
): Period | null {
  return period ?? (anchor && periodAt(anchor, lengths, now))
}

/** Returns the newest length, in days: the length of the period that begins with a user's first task now. */
export function newestDays(lengths: readonly LimitPeriod[]): number {
  const newest = lengths.at(-1)
  if (newest === undefined) throw new Error('an application has no limit period')
  return newest.days
}

function nthPeriod(start: number, length: number, n: number): Period {
  return { startsAt: new Date(start + n * length), endsAt: new Date(start + (n + 1) * length) }
}

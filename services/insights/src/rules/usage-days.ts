import { DAY_MS } from '@onward/contract'

/** Tasks of one UTC day, counted from 1970-01-01. */
type Day = { readonly day: number; readonly consumed: number }

/** Returns the UTC day of a time, counted from 1970-01-01. */
export function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS)
}

export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/**
 * Returns every day of a period until `now` with its tasks, which add up to `consumed`. `counted` are the days with tasks. A period can
 * begin within a day, so the first day gets the tasks that no other day has.
 */
export function daysOfPeriod(startsAt: Date, now: Date, consumed: number, counted: readonly Day[]): Day[] {
  const [first, last] = [dayOf(startsAt), Math.max(dayOf(startsAt), dayOf(now))]
  const byDay = new Map(counted.map((each) => [each.day, each.consumed]))
  const later = Array.from({ length: last - first }, (_, i) => ({ day: first + 1 + i, consumed: byDay.get(first + 1 + i) ?? 0 }))
  const rest = consumed - later.reduce((sum, each) => sum + each.consumed, 0)
  return [{ day: first, consumed: Math.max(0, rest) }, ...later]
}

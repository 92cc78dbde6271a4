import { DAY_MS } from '@onward/contract/pure'
import { cumulate, projectedAt } from '../../ui/chart/scale.ts'

type Day = { readonly date: string; readonly tasks_consumed: number }
type Period = { readonly starts_at: string; readonly ends_at: string }

/** One day of a period. `total` is what is consumed at its end; null for days that come. */
type PeriodPoint = { readonly at: Date; readonly total: number | null }

/**
 * Returns the curve of a period, from its first day. The history has whole days in UTC, but a period begins at any time: the
 * first day gets what the later days leave of `consumed`, so that the curve ends where the user is.
 */
export function periodPoints(days: readonly Day[], { starts_at, ends_at }: Period, consumed: number, now: Date): PeriodPoint[] {
  const first = dayOf(new Date(starts_at))
  const last = dayOf(new Date(Date.parse(ends_at) - 1))
  const today = Math.min(last, dayOf(now))
  const byDay = new Map(days.map((day) => [dayOf(new Date(day.date)), day.tasks_consumed]))
  const later = range(first + 1, today).map((day) => byDay.get(day) ?? 0)
  const sum = later.reduce((all, tasks) => all + tasks, 0)
  const totals = cumulate([Math.max(0, consumed - sum), ...later])
  return range(first, last).map((day, index) => ({ at: noonOf(day), total: day > today ? null : (totals[index] ?? null) }))
}

/** Returns the first and the last day of a period up to now, as dates in UTC. */
export function daysOfPeriod({ starts_at, ends_at }: Period, now: Date): { readonly since: string; readonly until: string } {
  const start = Date.parse(starts_at)
  const end = Math.max(start, Math.min(now.getTime(), Date.parse(ends_at) - 1))
  return { since: dateOf(start), until: dateOf(end) }
}

/** When the limit would be reached if it goes on as on average since the start; undefined if not in this period. */
export function reachedAt(consumed: number, limit: number, { starts_at, ends_at }: Period, now: Date): Date | undefined {
  const start = new Date(starts_at)
  const end = projectedAt(consumed, start, now, new Date(ends_at))
  if (end === undefined || end < limit || consumed >= limit || consumed === 0) return undefined
  return new Date(now.getTime() + ((limit - consumed) / consumed) * (now.getTime() - start.getTime()))
}

/** The middle of the UTC day of a time: in nearly all zones, it has the same date. */
export function noonOfDay(at: string): Date {
  return noonOf(dayOf(new Date(at)))
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function noonOf(day: number): Date {
  return new Date((day + 0.5) * DAY_MS)
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS)
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

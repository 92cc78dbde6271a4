import { DAY_MS } from '@onward/contract/pure'
import { cumulate } from '../ui/chart/scale.ts'
import type { Usage } from './client.ts'

/** A day of the period with the tasks used until its end; null for a day that is still to come. */
type CurvePoint = { readonly at: Date; readonly values: readonly [number | null] }

/** Returns the days from the beginning of the period to its end. The days are in UTC, which have the same date everywhere. */
export function curveOf({ period, days }: Pick<Usage, 'period' | 'days'>): CurvePoint[] {
  const first = days[0]?.date
  if (period === null || first === undefined) return []
  const totals = cumulate(days.map(({ tasks_consumed }) => tasks_consumed))
  // Noon of a UTC day has the same date in almost all zones.
  const start = Date.parse(`${first}T12:00:00Z`)
  const count = Math.max(days.length, Math.floor((Date.parse(period.ends_at) - 1) / DAY_MS) - Math.floor(start / DAY_MS) + 1)
  return Array.from({ length: count }, (_, at) => ({ at: new Date(start + at * DAY_MS), values: [totals[at] ?? null] }))
}

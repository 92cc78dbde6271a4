import { DAY_MS, HOUR_MS } from '@onward/contract/pure'
import { everyDay, everyHour } from '../../parts/call-hours.ts'
import type { Point } from '../../ui/chart/frame.tsx'

/** A chart of a shorter period shows the hours around it, because its bars are hours. */
const LEAST_MS = 12 * HOUR_MS
/** The service counts at most 100 days. */
const MOST_MS = 99 * DAY_MS
/** A longer period is drawn in days. */
const DAYS_FROM_MS = 8 * DAY_MS

/** What a chart of a period shows. `cut`: the period begins before it. */
type Window = { readonly since: Date; readonly until: Date; readonly step: 'hour' | 'day'; readonly cut: boolean }

/** Returns the hours or days that the chart of a period shows. */
export function windowOf(since: Date, until: Date): Window {
  const length = until.getTime() - since.getTime()
  const from = new Date(until.getTime() - Math.min(MOST_MS, Math.max(LEAST_MS, length)))
  return { since: from, until, step: length > DAYS_FROM_MS ? 'day' : 'hour', cut: length > MOST_MS }
}

/**
 * Returns the bars of the chart: calls that succeeded, calls that failed, and, in grey, calls of hours outside the period. With `failedOnly`,
 * all of them failed, and the first value is left out. `dayOf` names the day of a time.
 */
export function barsOf(
  hours: Parameters<typeof everyHour>[0],
  window: Window,
  since: Date,
  failedOnly: boolean,
  dayOf: (at: Date) => string,
): Point[] {
  const all = everyHour(hours, window.since, window.until)
  const steps = window.step === 'day' ? everyDay(all, dayOf) : all
  return steps.map(({ at, calls, failed }) => {
    const outside = window.step === 'hour' && +at + HOUR_MS <= +since
    const counts = outside ? [null, failedOnly ? failed : calls] : [failed, null]
    return { at, values: failedOnly ? counts : [outside ? null : calls - failed, ...counts] }
  })
}

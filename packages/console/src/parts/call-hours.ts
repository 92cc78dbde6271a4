import type { ResponseOf, readCallStatistics } from '@onward/contract'
import { HOUR_MS } from '@onward/contract/pure'

type Hour = ResponseOf<typeof readCallStatistics>['hours'][number]

/**
 * The calls of an hour or a day. The percentiles of a day are the percentiles of its slowest hour, because percentiles of hours cannot be
 * added.
 */
export type Step = {
  readonly at: Date
  readonly calls: number
  readonly tasks: number
  readonly failed: number
  readonly p50: number | null
  readonly p95: number | null
}

/** Returns the start of the hour of a time. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
}

/** Returns a step for every hour, from the hour of `since` to before `until`. Hours that the service left out have no calls. */
export function everyHour(hours: readonly Hour[], since: Date, until: Date): Step[] {
  const known = new Map(hours.map((each) => [Date.parse(each.hour), each]))
  const steps: Step[] = []
  for (let time = hourOf(since).getTime(); time < until.getTime(); time += HOUR_MS) {
    const { calls = 0, tasks = 0, failed = 0, p50_ms: p50 = null, p95_ms: p95 = null } = known.get(time) ?? {}
    steps.push({ at: new Date(time), calls, tasks, failed, p50, p95 })
  }
  return steps
}

/** Sums hours to days. `dayOf` returns the name of the day of a time, in the reader's zone. */
export function everyDay(hours: readonly Step[], dayOf: (at: Date) => string): Step[] {
  const days = new Map<string, Step>()
  for (const hour of hours) {
    const day = dayOf(hour.at)
    const known = days.get(day)
    days.set(day, known === undefined ? hour : added(known, hour))
  }
  return [...days.values()]
}

function added(a: Step, b: Step): Step {
  return {
    at: a.at,
    calls: a.calls + b.calls,
    tasks: a.tasks + b.tasks,
    failed: a.failed + b.failed,
    p50: larger(a.p50, b.p50),
    p95: larger(a.p95, b.p95),
  }
}

function larger(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b)
}

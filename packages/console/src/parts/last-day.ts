import { HOUR_MS } from '@onward/contract/pure'

const HOURS = 24

type Hour = { readonly hour: string; readonly key: string | null; readonly calls: number; readonly failed: number }

/** The calls of 24 hours, one number for each hour, oldest first, with their sums. */
export type LastDay = {
  readonly calls: readonly number[]
  readonly failed: readonly number[]
  readonly allCalls: number
  readonly allFailed: number
}

/** Returns the calls of the last 24 hours, up to the hour of `asOf`. Leaves out earlier calls, and adds up the calls of several keys. */
export function lastDayOf(hours: readonly Hour[], asOf: Date): LastDay {
  const first = Math.floor(asOf.getTime() / HOUR_MS) - HOURS + 1
  const calls = Array<number>(HOURS).fill(0)
  const failed = Array<number>(HOURS).fill(0)
  for (const each of hours) {
    const at = Math.floor(Date.parse(each.hour) / HOUR_MS) - first
    if (at < 0 || at >= HOURS) continue
    calls[at] = (calls[at] ?? 0) + each.calls
    failed[at] = (failed[at] ?? 0) + each.failed
  }
  return { calls, failed, allCalls: sum(calls), allFailed: sum(failed) }
}

export const NO_CALLS = lastDayOf([], new Date(0))

/** Returns the last 24 hours of each key, such as an app. A key that is missing in `hours` has no calls. */
export function lastDayByKey(hours: readonly Hour[], asOf: Date): ReadonlyMap<string, LastDay> {
  const byKey = new Map<string, Hour[]>()
  for (const hour of hours) if (hour.key !== null) byKey.set(hour.key, [...(byKey.get(hour.key) ?? []), hour])
  return new Map([...byKey].map(([key, its]) => [key, lastDayOf(its, asOf)]))
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

import { HOUR_MS } from '@onward/contract/pure'

/** An hour of the call statistics, as far as a sparkline needs it. */
type Hour = { readonly hour: string; readonly key: string | null; readonly calls: number; readonly failed: number }

/** Calls of one application by hour, oldest first, with their sums. */
export type CallsByHour = {
  readonly calls: readonly number[]
  readonly failed: readonly number[]
  readonly allCalls: number
  readonly allFailed: number
}

const HOURS = 24

/** Returns the calls of each application in the last 24 hours, the running one included. Applications without calls are missing. */
export function callsByHour(hours: readonly Hour[], asOf: Date): ReadonlyMap<string, CallsByHour> {
  const first = (Math.floor(asOf.getTime() / HOUR_MS) - HOURS + 1) * HOUR_MS
  const found = new Map<string, { calls: number[]; failed: number[] }>()
  for (const { hour, key, calls, failed } of hours) {
    const at = Math.floor((new Date(hour).getTime() - first) / HOUR_MS)
    if (key === null || at < 0 || at >= HOURS) continue
    const one = found.get(key) ?? { calls: zeros(), failed: zeros() }
    found.set(key, one)
    one.calls[at] = (one.calls[at] ?? 0) + calls
    one.failed[at] = (one.failed[at] ?? 0) + failed
  }
  return new Map([...found].map(([key, { calls, failed }]) => [key, { calls, failed, allCalls: sum(calls), allFailed: sum(failed) }]))
}

export const NO_CALLS: CallsByHour = { calls: zeros(), failed: zeros(), allCalls: 0, allFailed: 0 }

function zeros(): number[] {
  return Array.from({ length: HOURS }, () => 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

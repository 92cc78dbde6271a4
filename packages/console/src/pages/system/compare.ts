import type { ComparedHour, TaskHour } from '@onward/contract'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Compares the hours of both services, in order, as `compareHours` of the contract does. */
export function compare(functions: readonly TaskHour[], insights: readonly TaskHour[]): ComparedHour[] {
  const byHour = (hours: readonly TaskHour[]) => new Map(hours.map((each) => [each.hour, each]))
  const logged = byHour(functions)
  const counted = byHour(insights)
  return [...new Set([...logged.keys(), ...counted.keys()])]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((hour) => {
      const ours = logged.get(hour)
      const theirs = counted.get(hour)
      return { hour, functions: ours, insights: theirs, same: ours?.tasks === theirs?.tasks && ours?.xor === theirs?.xor }
    })
}

export type Span = { readonly since: string; readonly until: string }

/** The full hours of the last `hours` hours, in spans of a day at most: an answer has one row for each hour. The newest ten minutes are left out. */
export function spansOf(hours: number, now: Date): Span[] {
  const until = Math.floor((now.getTime() - 10 * 60_000) / HOUR_MS) * HOUR_MS
  const spans: Span[] = []
  for (let from = until - hours * HOUR_MS; from < until; from += DAY_MS) {
    spans.push({ since: iso(from), until: iso(Math.min(from + DAY_MS, until)) })
  }
  return spans
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

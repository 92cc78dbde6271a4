import { DAY_MS, HOUR_MS } from '@onward/contract/pure'

type Span = { readonly since: string; readonly until: string }

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

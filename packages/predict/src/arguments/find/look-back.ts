import type { ParsedComponents } from 'chrono-node'
import type { Moment } from './found.ts'

/** Who asks for things that are there means the nearest November 1, not the coming one. */
const ASKS =
  /^\W*(?:(?:please|can|could|would|you|i|want|need|to|me|us)\W+)*(?:show|list|find|search|get|fetch|see|look|what|which|how|who)\b/i
const SINCE = /\bsince(?: the)?\s+$/i
const HALF_A_YEAR_MS = 183 * 86_400_000

/** The time (milliseconds) past which a date at an offset of a prompt can't be meant, where its words leave that open. */
export function latestDay(prompt: string, offset: number, now: Date): number {
  if (SINCE.test(prompt.slice(0, offset))) return now.getTime()
  return ASKS.test(prompt) ? now.getTime() + HALF_A_YEAR_MS : Number.POSITIVE_INFINITY
}

/** A date's day; past `latest`, one without a year is that of the year before and a weekday that of the week before. */
export function dayBefore(parts: ParsedComponents, latest: number): Pick<Moment, 'year' | 'month' | 'date'> {
  const [year, month, date] = [parts.get('year') ?? 0, parts.get('month') ?? 0, parts.get('day') ?? 0]
  if (parts.date().getTime() <= latest) return { year, month, date }
  if (parts.isCertain('month')) return { year: parts.isCertain('year') ? year : year - 1, month, date }
  if (!parts.isCertain('weekday')) return { year, month, date }
  const before = new Date(Date.UTC(year, month - 1, date - 7))
  return { year: before.getUTCFullYear(), month: before.getUTCMonth() + 1, date: before.getUTCDate() }
}

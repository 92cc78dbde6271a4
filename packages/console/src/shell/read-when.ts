import { DAY_MS } from '@onward/contract/pure'
import { type ParsedResult, parse } from 'chrono-node/en'
import type { Zone } from '../text/format.ts'

/** How far around a time calls are shown. */
const AROUND_MS = 15 * 60_000

/** `last hour`, `past 7 days`. */
const UNTIL_NOW = /^(last|past)\s+(\d+\s+)?(minute|hour|day|week|month)/i

/** A period that a text names, and what the text says besides it. */
export type When = { readonly since: Date; readonly until: Date; readonly rest: string }

/**
 * Reads a time in a text, such as `joe yesterday 14:05`, in the zone that is shown. A time of day means a quarter of an hour before and after
 * it, and a day means all of it. `last 2 hours` ends now. Times are in the past: `friday` is the last one. Returns undefined if there is none.
 */
export function readWhen(text: string, now: Date, zone: Zone): When | undefined {
  const found = parsed(text, now, zone)
  const said = found.map((each) => each.text).join(' ')
  // `yesterday joe 14:05` has two parts of one time.
  const [first, ...others] = parsed(said, now, zone)
  if (first === undefined || others.length > 0 || first.text !== said) return undefined
  const span = spanOf(past(first, now, zone), now, zone)
  if (span === undefined || span.since > now) return undefined
  const rest = found.reduceRight((left, { index, text: { length } }) => left.slice(0, index) + left.slice(index + length), text)
  return { ...span, rest: rest.replace(/\s+/g, ' ').trim() }
}

/** Only whole words: an id can have `5-10` in it. */
function parsed(text: string, now: Date, zone: Zone): ParsedResult[] {
  const results = parse(text, { instant: now, ...(zone === 'UTC' && { timezone: 'UTC' }) })
  return results.filter(({ index, text: { length } }) => /^$|\s/.test(text.charAt(index - 1)) && /^$|\s/.test(text.charAt(index + length)))
}

/** The library chooses the nearest day. Reads the same words some time earlier if that is in the future. */
function past(result: ParsedResult, now: Date, zone: Zone): ParsedResult {
  const { start, text } = result
  if (start.date() <= now || start.isCertain('year')) return result
  const back = start.isCertain('month') ? 365 : start.isCertain('weekday') ? 7 : 1
  return parsed(text, new Date(now.getTime() - back * DAY_MS), zone)[0] ?? result
}

function spanOf({ start, end, text }: ParsedResult, now: Date, zone: Zone): { since: Date; until: Date } | undefined {
  const since = start.date()
  if (UNTIL_NOW.test(text)) return { since, until: now }
  if (end != null) return since < end.date() ? { since, until: end.date() } : undefined
  if (start.isCertain('hour')) return { since: new Date(since.getTime() - AROUND_MS), until: new Date(since.getTime() + AROUND_MS) }
  if (!start.isCertain('day') && !start.isCertain('weekday')) return undefined
  const [year, month, day] = [start.get('year') ?? 0, (start.get('month') ?? 1) - 1, start.get('day') ?? 1]
  const midnight = (of: number) => (zone === 'UTC' ? new Date(Date.UTC(year, month, of)) : new Date(year, month, of))
  return { since: midnight(day), until: midnight(day + 1) }
}

import type { ParsedComponents } from 'chrono-node'
import type { Steps } from '../../in-slices.ts'
import { type Chunk, chunksOf } from './chunks.ts'
import { clockAfter, offsetMinutes, statedOffset, type Zone } from './clock.ts'
import { DATES, FORWARD } from './date-parser.ts'
import type { Datetime, Piece } from './piece.ts'

/** Only a text with one of these words can contain a date or time. Parsing dates costs more than all other finders together. */
const DATE_HINT =
  /\d|\b(?:today|tomorrow|yesterday|tonight|noon|midnight|now|morning|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:next|last|this|past|coming) \w+|january|february|march|april|june|july|august|september|october|november|december)\b/i
const BETWEEN = /\s+(?:to|until|till|through|and|-|–)\s+|\s*–\s*/i
/** Words that the date parser accepts but that are rarely a date. */
const NOT_DATE = /^(?:may|sat|sun|mar|now|second|\d+|\d+ ?(?:s|m|h|min|sec)|(?:\d+|\p{L}+) (?:second|minute|hour|day|week|month|year)s?)$/iu
const CLOCK = /\b(?:\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|noon|midnight)/i
/** The rest of a longer prompt is not searched. */
const MAX_CHARACTERS = 2_000

/** Finds dates and times in the user's time zone. A range results in its two ends and in a period. */
export function* findDatetimes(prompt: string, now: Date, timeZone: string): Steps<Piece[]> {
  const found: Piece[] = []
  const text = prompt.slice(0, MAX_CHARACTERS)
  for (const chunk of chunksOf(text)) {
    if (!DATE_HINT.test(chunk.text)) continue
    yield
    found.push(...findInChunk(text, chunk, now, timeZone))
  }
  return found
}

function findInChunk(prompt: string, chunk: Chunk, now: Date, timeZone: string): Piece[] {
  const zone = { name: timeZone, minutes: offsetMinutes(now, timeZone) }
  const reference = { instant: now, timezone: zone.minutes }
  return DATES.parse(chunk.text, reference, FORWARD).flatMap((result) => {
    const stated = statedOffset(result)
    const start = chunk.start + result.index
    const latest = latestDay(prompt, start, now)
    const read = (span: Span, parts: ParsedComponents) => datetimeOf(span, parts, stated, latest, zone)
    const found = { text: result.text, start, end: start + result.text.length }
    const middle = result.end === null || result.end === undefined ? null : BETWEEN.exec(result.text)
    if (NOT_DATE.test(found.text.trim())) return []
    if (middle === null || !result.end) return read(found, result.start)
    const first = result.text.slice(0, middle.index)
    const second = result.text.slice(middle.index + middle[0].length)
    const [one, other] = ordered(first, result.start, result.end, reference)
    return [
      { kind: 'period' as const, ...found },
      ...read({ text: first, start: found.start, end: found.start + first.length }, one),
      ...read({ text: second, start: found.end - second.length, end: found.end }, other),
    ]
  })
}

/** The parser sorts the ends of a range. Parse its first half again to find out which end the text names first. */
function ordered(first: string, start: ParsedComponents, end: ParsedComponents, reference: { instant: Date; timezone: number }) {
  const day = DATES.parse(first, reference, FORWARD)[0]?.start
  const swapped = day !== undefined && sameDay(day, end) && !sameDay(day, start)
  return swapped ? ([end, start] as const) : ([start, end] as const)
}

function sameDay(a: ParsedComponents, b: ParsedComponents): boolean {
  return (['year', 'month', 'day', 'hour'] as const).every((part) => a.get(part) === b.get(part))
}

type Span = { readonly text: string; readonly start: number; readonly end: number }

function datetimeOf(span: Span, parts: ParsedComponents, stated: number | undefined, latest: number, zone: Zone): Piece[] {
  const time = parts.isCertain('hour')
  const day = ['day', 'weekday', 'month'].some((part) => parts.isCertain(part as 'day'))
  if (!time && !day) return [{ kind: 'period', ...span }]
  const get = (part: 'hour' | 'minute' | 'second') => parts.get(part) ?? 0
  const named = { ...dayBefore(parts, latest), hour: get('hour'), minute: get('minute'), second: get('second') }
  const own = stated === undefined ? {} : { offset: parts.get('timezoneOffset') ?? stated }
  const datetime: Datetime = { ...(clockAfter(parts, span.text, zone) ?? { ...named, ...own }), day, time }
  const whole: Piece = { kind: 'datetime', ...span, datetime }
  const clock = time ? CLOCK.exec(span.text) : null
  if (clock === null || clock[0] === span.text) return [whole]
  const at = span.start + clock.index
  const times: Piece = {
    kind: 'datetime',
    text: clock[0],
    start: at,
    end: at + clock[0].length,
    datetime: { ...datetime, day: false, part: day },
  }
  const date = clock.index === 0 ? null : span.text.slice(0, clock.index).replace(/[\s,]*(?:\b(?:at|from|on))?[\s,]*$/i, '')
  if (!day || date === null || date === '') return day ? [whole, times] : [times]
  return [
    whole,
    times,
    { kind: 'datetime', text: date, start: span.start, end: span.start + date.length, datetime: { ...datetime, time: false, part: true } },
  ]
}

/** A request about existing or past things means the nearest November 1, not the next one. */
const LOOKS_BACK =
  /^\W*(?:(?:please|can|could|would|you|i|want|need|to|me|us)\W+)*(?:show|list|find|search|get|fetch|see|look|what|which|how|who|record|log)\b/i
const SINCE = /\bsince(?: the)?\s+$/i
const HALF_A_YEAR_MS = 183 * 86_400_000

/**
 * Returns the latest time (milliseconds) that an ambiguous date can mean: now after "since", half a year ahead in a request about existing
 * things.
 */
function latestDay(prompt: string, offset: number, now: Date): number {
  if (SINCE.test(prompt.slice(0, offset))) return now.getTime()
  return LOOKS_BACK.test(prompt) ? now.getTime() + HALF_A_YEAR_MS : Number.POSITIVE_INFINITY
}

/** Returns the day of a date. An ambiguous date after `latest` moves back by a year, an ambiguous weekday by a week. */
function dayBefore(parts: ParsedComponents, latest: number): Pick<Datetime, 'year' | 'month' | 'date'> {
  const [year, month, date] = [parts.get('year') ?? 0, parts.get('month') ?? 0, parts.get('day') ?? 0]
  if (parts.date().getTime() <= latest) return { year, month, date }
  if (parts.isCertain('month')) return { year: parts.isCertain('year') ? year : year - 1, month, date }
  if (!parts.isCertain('weekday')) return { year, month, date }
  const before = new Date(Date.UTC(year, month - 1, date - 7))
  return { year: before.getUTCFullYear(), month: before.getUTCMonth() + 1, date: before.getUTCDate() }
}

import { Chrono, casual, type ParsedComponents, type ParsedResult, type Parser } from 'chrono-node'
import type { Steps } from '../../in-slices.ts'
import type { Slot } from '../slot/slot.ts'
import type { Datetime, Piece } from './piece.ts'
import { chunksOf } from './prompt.ts'

/** Only a text with one of these words can contain a date or time. Parsing dates costs more than all other finders together. */
const DATE_HINT =
  /\d|\b(?:today|tomorrow|yesterday|tonight|noon|midnight|now|morning|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:next|last|this|past|coming) \w+|january|february|march|april|june|july|august|september|october|november|december)\b/i
const BETWEEN = /\s+(?:to|until|till|through|and|-|–)\s+|\s*–\s*/i
/** Words that the date parser accepts but that are rarely a date. */
const NOT_DATE = /^(?:may|sat|sun|mar|now|second|\d+|\d+ ?(?:s|m|h|min|sec)|(?:\d+|\p{L}+) (?:second|minute|hour|day|week|month|year)s?)$/iu
const CLOCK = /\b(?:\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?|\d{1,2} ?[ap]\.?m\b\.?|noon|midnight)/i
/** The rest of a longer prompt is not searched. */
const MAX_CHARACTERS = 2_000

/** Finds dates and times in the user's time zone. A range results in its two ends. */
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

function findInChunk(prompt: string, chunk: { readonly text: string; readonly start: number }, now: Date, timeZone: string): Piece[] {
  const zone = { name: timeZone, minutes: offsetMinutes(now, timeZone) }
  const reference = { instant: now, timezone: zone.minutes }
  return DATES.parse(chunk.text, reference, FORWARD).flatMap((result) => {
    const stated = statedOffset(result)
    const start = chunk.start + result.index
    const latest = latestDay(prompt, /^last \p{L}+$/iu.test(result.text) ? start + result.text.length : start, now)
    const read = (span: Span, parts: ParsedComponents) => datetimeOf(span, parts, stated, latest, zone)
    const found = { text: result.text, start, end: start + result.text.length }
    const middle = result.end === null || result.end === undefined ? null : BETWEEN.exec(result.text)
    if (NOT_DATE.test(found.text.trim())) return []
    if (middle === null || !result.end) return read(found, result.start)
    const first = result.text.slice(0, middle.index)
    const second = result.text.slice(middle.index + middle[0].length)
    return [
      ...read({ text: first, start: found.start, end: found.start + first.length }, result.start),
      ...read({ text: second, start: found.end - second.length, end: found.end }, result.end),
    ]
  })
}

type Span = { readonly text: string; readonly start: number; readonly end: number }

function datetimeOf(span: Span, parts: ParsedComponents, stated: number | undefined, latest: number, zone: Zone): Piece[] {
  const time = parts.isCertain('hour')
  const day = ['day', 'weekday', 'month'].some((part) => parts.isCertain(part as 'day'))
  if (!time && !day) return []
  const get = (part: 'hour' | 'minute' | 'second') => parts.get(part) ?? 0
  const named = { ...dayBefore(parts, latest), hour: get('hour'), minute: get('minute'), second: get('second') }
  const own = stated === undefined ? {} : { offset: parts.get('timezoneOffset') ?? stated }
  const datetime: Datetime = { ...(clockAfter(parts, span.text, zone) ?? { ...named, ...own }), day, time }
  const pieceAt = (start: number, text: string, more: Partial<Datetime>): Piece => {
    return { kind: 'datetime', text, start, end: start + text.length, datetime: { ...datetime, ...more } }
  }
  const whole = pieceAt(span.start, span.text, {})
  const clock = time ? CLOCK.exec(span.text) : null
  if (clock === null || clock[0] === span.text) return [whole]
  const times = pieceAt(span.start + clock.index, clock[0], { day: false, part: day })
  if (!day) return [times]
  const date = span.text.slice(0, clock.index).replace(/[\s,]*(?:\b(?:at|from|on))?[\s,]*$/i, '')
  return [whole, times, ...(date === '' ? [] : [pieceAt(span.start, date, { time: false, part: true })])]
}

/** A request about existing or past things means the nearest November 1, not the next one. */
const LOOKS_BACK =
  /^\W*(?:(?:please|can|could|would|you|i|want|need|to|me|us)\W+)*(?:show|list|find|search|get|fetch|see|look|what|which|how|who|record|log)\b/i
const PAST = /(?:\bsince(?: the)?\s+|\blast \p{L}+)$/iu
const HALF_A_YEAR_MS = 183 * 86_400_000

/**
 * Returns the latest time (milliseconds) that an ambiguous date can mean: now after "since" and for "last Monday", half a year ahead in a
 * request about existing things.
 */
function latestDay(prompt: string, offset: number, now: Date): number {
  if (PAST.test(prompt.slice(0, offset))) return now.getTime()
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

/** Makes "Friday" the next Friday, not the last one. */
export const FORWARD = { forwardDate: true }

/** The parser of dates and times in English. */
export const DATES = new Chrono({ parsers: casual.parsers.map(quickToCompile), refiners: casual.refiners })

/**
 * Lets a parser accept up to four spaces where its pattern accepts two or three. V8 unrolls loops of at most three rounds, and copies what
 * follows into each of them. With longer loops, it compiles two patterns of the library several times faster.
 */
function quickToCompile(parser: Parser): Parser {
  const quick = new Map<RegExp, RegExp>()
  return {
    pattern(context) {
      const pattern = parser.pattern(context)
      const known = quick.get(pattern) ?? new RegExp(pattern.source.replace(/\\s\{0,[23]\}/g, '\\s{0,4}'), pattern.flags)
      quick.set(pattern, known)
      return known
    },
    extract: (context, match) => parser.extract(context, match),
  }
}

/**
 * Expressions such as "in 2 days and 3 hours" and "an hour before noon" are computed on the clock of the user's current offset from UTC.
 */
const BY_THE_CLOCK =
  /(?:\b|\d)(?:d|days?|w|weeks?|mon?|mos|months?|qtr|quarters?|y|yr|years?)\b|\S\s+(?:before|after|from|since)\s+(?!now\b)|\S\s*[+-]\s*\d/i

type Clock = Pick<Datetime, 'year' | 'month' | 'date' | 'hour' | 'minute' | 'second' | 'offset'>

/** The user's time zone, with its current offset from UTC. */
type Zone = { readonly name: string; readonly minutes: number }

/**
 * Returns the time that the clock shows after a number of hours, minutes or seconds, or undefined when the text contains none. A duration
 * from now ends at an instant, whose offset from UTC may differ from now.
 */
function clockAfter(parts: ParsedComponents, text: string, zone: Zone): Clock | undefined {
  if (!parts.tags().has('result/relativeDateAndTime')) return undefined
  const instant = parts.date()
  if (BY_THE_CLOCK.test(text)) return clockAt(instant, zone.minutes)
  const offset = offsetMinutes(instant, zone.name)
  return { ...clockAt(instant, offset), offset }
}

function clockAt(instant: Date, offset: number): Clock {
  const wall = new Date(instant.getTime() + offset * 60_000)
  const [year, month, date] = [wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate()]
  return { year, month, date, hour: wall.getUTCHours(), minute: wall.getUTCMinutes(), second: wall.getUTCSeconds() }
}

/**
 * A time zone after a time, in capital letters: in lower case, "at 7 pm art museum" would name the zone of Argentina. Zones that are also
 * English words are left out, because prompts write those in capitals too.
 */
const ZONE =
  /(?:\d|[AaPp]\.?[Mm]\.?|[Nn]oon|[Mm]idnight)[\s,(]*(?:Z\b|[ECMP]T\b|(?!(?:ART|BOT|CAST|CAT|COT|EAST|EAT|GET|HAT|HAY|MART|PET|WEST|WET)\b)[A-Z]{3,5}\b|[+-]\d\d:?\d\d\b)/
/** Returns the offset from UTC, in minutes, of the time zone that the text names, or undefined. In a range it applies to both ends. */
function statedOffset({ text, start }: ParsedResult): number | undefined {
  if (!start.isCertain('timezoneOffset') || !ZONE.test(text)) return undefined
  return start.get('timezoneOffset') ?? undefined
}

/** The formatter of the last time zone, because opening one takes much longer than formatting a date. */
let last: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined

/** Returns the offset of a time zone (IANA name) from UTC at an instant, in minutes. */
function offsetMinutes(at: Date, timeZone: string): number {
  if (last?.timeZone !== timeZone) {
    last = { timeZone, format: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }) }
  }
  const parts = last.format.formatToParts(at)
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '')
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
}

/** A date format in a description. */
const FORMAT = /\b(?:yyyy|mm|dd)(?<mark>[-/.]?)(?:mm|dd)\k<mark>(?:yyyy|mm|dd)\b/i

/**
 * Returns a date or time in the format that the slot's schema, description or examples show; by default in ISO 8601. Returns undefined when
 * the slot cannot hold it or the year does not have four digits.
 */
export function datetimeText(slot: Slot, datetime: Datetime, timeZone: string): string | undefined {
  if (!isWritable(datetime)) return undefined
  const { format, description = '' } = slot.schema
  const example = slot.examples.find((one) => /\d/.test(one)) ?? ''
  const year = String(datetime.year).padStart(4, '0')
  const [month, date] = [pad(datetime.month), pad(datetime.date)]
  if (format === 'date') return datetime.day ? `${year}-${month}-${date}` : undefined
  if (format === 'date-time' || /date-?time|t\d\d:|iso ?8601 (?:date ?and|timestamp)/i.test(description))
    return datetime.part ? undefined : datetimeInstant(datetime, timeZone)
  if (format === 'time') return datetime.time ? `${timeText(datetime, '')}:${pad(datetime.second)}` : undefined
  if (!datetime.day || !slot.expected.has('date'))
    return datetime.time && slot.expected.has('time') ? timeText(datetime, example) : undefined
  if (datetime.time && slot.expected.has('time') && !example) return datetimeInstant(datetime, timeZone)
  const shown = FORMAT.exec(description)?.[0].toLowerCase() ?? 'yyyy-mm-dd'
  return shown.replace('yyyy', year).replace('mm', month).replace('dd', date)
}

function timeText({ hour, minute }: Datetime, example: string): string {
  if (!/[ap]m/i.test(example)) return `${pad(hour)}:${pad(minute)}`
  return `${pad(hour % 12 === 0 ? 12 : hour % 12)}:${pad(minute)} ${hour < 12 ? 'AM' : 'PM'}`
}

/**
 * Returns an instant in ISO 8601 with the offset of the time zone at that time. A date without a time begins at midnight. Returns undefined
 * outside the years 1 to 9999, which the format cannot express.
 */
export function datetimeInstant(datetime: Datetime, timeZone: string): string | undefined {
  if (!isWritable(datetime)) return undefined
  const wall = new Date(0)
  // Date.UTC interprets the year 50 as 1950.
  wall.setUTCFullYear(datetime.year, datetime.month - 1, datetime.date)
  if (datetime.time) wall.setUTCHours(datetime.hour, datetime.minute, datetime.second)
  const offset = (datetime.time ? datetime.offset : undefined) ?? offsetOnClock(wall, timeZone)
  const sign = offset < 0 ? '-' : '+'
  const zone = offset === 0 ? 'Z' : `${sign}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`
  return `${wall.toISOString().slice(0, 19)}${zone}`
}

function offsetOnClock(wall: Date, timeZone: string): number {
  const guess = offsetMinutes(wall, timeZone)
  return offsetMinutes(new Date(wall.getTime() - guess * 60_000), timeZone)
}

function isWritable({ year }: Datetime): boolean {
  return year >= 1 && year <= 9_999
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

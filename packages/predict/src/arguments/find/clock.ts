import type { ParsedComponents, ParsedResult } from 'chrono-node'
import type { Datetime } from './piece.ts'

/**
 * Expressions such as "in 2 days and 3 hours" and "an hour before noon" are computed on the clock of the user's current offset from UTC.
 */
const BY_THE_CLOCK =
  /(?:\b|\d)(?:d|days?|w|weeks?|mon?|mos|months?|qtr|quarters?|y|yr|years?)\b|\S\s+(?:before|after|from|since)\s+(?!now\b)|\S\s*[+-]\s*\d/i

type Clock = Pick<Datetime, 'year' | 'month' | 'date' | 'hour' | 'minute' | 'second' | 'offset'>

/** The user's time zone, with its current offset from UTC. */
export type Zone = { readonly name: string; readonly minutes: number }

/**
 * Returns the time that the clock shows after a number of hours, minutes or seconds, or undefined when the text contains none. A duration
 * from now ends at an instant, whose offset from UTC may differ from now.
 */
export function clockAfter(parts: ParsedComponents, text: string, zone: Zone): Clock | undefined {
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
export function statedOffset({ text, start }: ParsedResult): number | undefined {
  if (!start.isCertain('timezoneOffset') || !ZONE.test(text)) return undefined
  return start.get('timezoneOffset') ?? undefined
}

/** The formatter of the last time zone, because opening one takes much longer than formatting a date. */
let last: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined

/** Returns the offset of a time zone (IANA name) from UTC at an instant, in minutes. */
export function offsetMinutes(at: Date, timeZone: string): number {
  if (last?.timeZone !== timeZone) {
    last = { timeZone, format: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }) }
  }
  const parts = last.format.formatToParts(at)
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '')
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
}

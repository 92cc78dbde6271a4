import type { ParsedComponents, ParsedResult } from 'chrono-node'
import type { Datetime } from './found.ts'

/** "In 2 days and 3 hours" and "an hour before noon" count on the clock, not from now alone. */
const BY_THE_CLOCK =
  /(?:\b|\d)(?:d|days?|w|weeks?|mon?|mos|months?|qtr|quarters?|y|yr|years?)\b|\S\s+(?:before|after|from|since)\s+(?!now\b)|\S\s*[+-]\s*\d/i

type Clock = Pick<Datetime, 'year' | 'month' | 'date' | 'hour' | 'minute' | 'second' | 'offset'>

/** A user's time zone, and how far it is ahead of UTC now. */
export type Zone = { readonly name: string; readonly minutes: number }

/**
 * What the clock shows after some hours, minutes or seconds; undefined when the text counts none. They pass alike when the clocks change:
 * counted from now they end at an instant, which has an offset of its own.
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
 * A zone behind a time, in capital letters: in small ones "at 7 pm art museum" would name Argentina's. Those that are words as well are
 * left out, as prompts have those in capitals, too.
 */
const ZONE =
  /(?:\d|[AaPp]\.?[Mm]\.?|[Nn]oon|[Mm]idnight)[\s,(]*(?:Z\b|[ECMP]T\b|(?!(?:ART|BOT|CAST|CAT|COT|EAST|EAT|GET|HAT|HAY|MART|PET|WEST|WET)\b)[A-Z]{3,5}\b|[+-]\d\d:?\d\d\b)/
/** How many minutes ahead of UTC the zone is that a text names, of a range for both its ends; undefined where it names none. */
export function statedOffset({ text, start }: ParsedResult): number | undefined {
  if (!start.isCertain('timezoneOffset') || !ZONE.test(text)) return undefined
  return start.get('timezoneOffset') ?? undefined
}

/** How far a time zone (IANA name) is ahead of UTC at an instant. */
export function offsetMinutes(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '')
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]))
}

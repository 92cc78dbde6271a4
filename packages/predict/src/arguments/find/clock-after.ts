import type { ParsedComponents } from 'chrono-node'
import { offsetMinutes } from '../value/offset-minutes.ts'
import type { Moment } from './found.ts'

/** "In 2 days and 3 hours" and "an hour before noon" count on the clock, not from now alone. */
const BY_THE_CLOCK =
  /(?:\b|\d)(?:d|days?|w|weeks?|mon?|mos|months?|qtr|quarters?|y|yr|years?)\b|\S\s+(?:before|after|from|since)\s+(?!now\b)|\S\s*[+-]\s*\d/i

type Clock = Pick<Moment, 'year' | 'month' | 'date' | 'hour' | 'minute' | 'second' | 'offset'>

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

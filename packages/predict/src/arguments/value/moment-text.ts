import type { Moment } from '../find/found.ts'
import type { Slot } from '../slot/slot.ts'
import { offsetMinutes } from './offset-minutes.ts'

/** How descriptions and examples write a date. */
const FORMATS: readonly (readonly [RegExp, (date: Parts) => string])[] = [
  [/\bmm\/dd\/yyyy\b/i, ({ y, m, d }) => `${m}/${d}/${y}`],
  [/\bdd\/mm\/yyyy\b/i, ({ y, m, d }) => `${d}/${m}/${y}`],
  [/\byyyy\/mm\/dd\b/i, ({ y, m, d }) => `${y}/${m}/${d}`],
  [/\bdd-mm-yyyy\b/i, ({ y, m, d }) => `${d}-${m}-${y}`],
  [/\bmm-dd-yyyy\b/i, ({ y, m, d }) => `${m}-${d}-${y}`],
  [/\bdd\.mm\.yyyy\b/i, ({ y, m, d }) => `${d}.${m}.${y}`],
  [/\byyyymmdd\b/i, ({ y, m, d }) => `${y}${m}${d}`],
]
type Parts = { readonly y: string; readonly m: string; readonly d: string }

/**
 * A moment as a slot's format, description and examples want it: ISO 8601 unless they show another; without a date to tell, its own words.
 * Undefined when it is none such, or its year has not four digits.
 */
export function momentText(slot: Slot, moment: Moment, text: string, timeZone: string): string | undefined {
  if (!isWritable(moment)) return undefined
  const { format, description = '' } = slot.schema
  if (moment.part && (format === 'date-time' || (slot.wants.has('date') && slot.wants.has('time')))) return undefined
  const clock = `${pad(moment.hour)}:${pad(moment.minute)}`
  const year = String(moment.year).padStart(4, '0')
  const day = `${year}-${pad(moment.month)}-${pad(moment.date)}`
  const example = slot.examples.find((one) => /\d/.test(one)) ?? ''
  if (format === 'date') return moment.day ? day : undefined
  if (format === 'date-time' || /date-?time|t\d\d:|iso ?8601 (?:date ?and|timestamp)/i.test(description))
    return momentInstant(moment, timeZone)
  if (format === 'time') return moment.time ? `${clock}:${pad(moment.second)}` : undefined
  if (slot.wants.has('time') && !slot.wants.has('date')) return moment.time ? timeText(clock, moment, text, example) : text
  if (!moment.day) return slot.wants.has('time') ? timeText(clock, moment, text, example) : undefined
  if (moment.time && slot.wants.has('time') && !example) return momentInstant(moment, timeZone)
  if (moment.time && /hh|\d\d:\d\d/i.test(`${description} ${example}`)) return `${day} ${clock}`
  const shown = FORMATS.find(([pattern]) => pattern.test(description))
  if (shown === undefined && /^\p{L}/u.test(example)) return text
  return shown === undefined ? day : shown[1]({ y: year, m: pad(moment.month), d: pad(moment.date) })
}

function timeText(clock: string, { second, hour, minute }: Moment, text: string, example: string): string {
  if (/[ap]m/i.test(example)) return `${pad(hour % 12 === 0 ? 12 : hour % 12)}:${pad(minute)} ${hour < 12 ? 'AM' : 'PM'}`
  if (/\d\d:\d\d:\d\d/.test(example)) return `${clock}:${pad(second)}`
  return /^\d{1,2}:\d\d$|\d ?[ap]\.?m/i.test(text) ? clock : text
}

/**
 * An instant in ISO 8601 with the zone's offset at that time; a day without a time begins at midnight. Undefined outside of the years 1 to
 * 9999, which the format can't write.
 */
export function momentInstant(moment: Moment, timeZone: string): string | undefined {
  if (!isWritable(moment)) return undefined
  const wall = new Date(0)
  // Date.UTC takes the year 50 for 1950.
  wall.setUTCFullYear(moment.year, moment.month - 1, moment.date)
  if (moment.time) wall.setUTCHours(moment.hour, moment.minute, moment.second)
  const offset = (moment.time ? moment.offset : undefined) ?? offsetOnClock(wall, timeZone)
  const sign = offset < 0 ? '-' : '+'
  const zone = offset === 0 ? 'Z' : `${sign}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`
  return `${wall.toISOString().slice(0, 19)}${zone}`
}

function offsetOnClock(wall: Date, timeZone: string): number {
  const guess = offsetMinutes(wall, timeZone)
  return offsetMinutes(new Date(wall.getTime() - guess * 60_000), timeZone)
}

function isWritable({ year }: Moment): boolean {
  return year >= 1 && year <= 9_999
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

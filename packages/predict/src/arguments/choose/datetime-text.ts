import { offsetMinutes } from '../find/datetimes.ts'
import type { Datetime } from '../find/piece.ts'
import type { Slot } from '../slot/slot.ts'

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

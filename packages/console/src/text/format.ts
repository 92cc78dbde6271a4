/** Numbers, times and durations as text, in the reader's language. Exports use ISO 8601 in UTC instead. */

/** `local` is the time zone of the browser. */
export type Zone = 'local' | 'UTC'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let chosen: string | undefined

/** From now on, formats in another language than the browser's. `tag` is a valid BCP 47 tag. */
export function setLocale(tag: string): void {
  chosen = tag
}

/** The browser's language, unless another one was set. Node 20 has no `navigator`. */
function locale(): string {
  return chosen ?? (typeof navigator === 'undefined' ? 'en' : navigator.language)
}

// Making a formatter takes longer than using it, and lists format thousands of values.
const kept = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return keptFor(`n${locale()}${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale(), options))
}

function dates(options: Intl.DateTimeFormatOptions, zone: Zone): Intl.DateTimeFormat {
  const all = zone === 'UTC' ? { ...options, timeZone: 'UTC' } : options
  return keptFor(`d${locale()}${JSON.stringify(all)}`, () => new Intl.DateTimeFormat(locale(), all))
}

function keptFor<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => F): F {
  const found = kept.get(key) as F | undefined
  if (found !== undefined) return found
  const made = make()
  kept.set(key, made)
  return made
}

/** `12,345.6`. */
export function formatNumber(value: number): string {
  return numbers({ maximumFractionDigits: 2 }).format(value)
}

/** `12K`, `1.2M`: for charts and tiles, whose exact value is in the title. In German, which has no short form of 1000, `1.000`. */
export function formatCompact(value: number): string {
  return numbers({ notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' }).format(value)
}

/** A fraction as a percentage that never rounds up to 100, or down to 0: `> 99.9%` for 0.9999, `< 0.1%` for 0.0004, `1,442%` for 14.417. */
export function formatPercent(fraction: number): string {
  const { format } = numbers({ style: 'percent', maximumFractionDigits: fraction > 1 ? 0 : 1 })
  if (fraction > 0 && fraction < 0.0005) return `< ${format(0.001)}`
  if (fraction < 1 && fraction >= 0.9995) return `> ${format(0.999)}`
  return format(fraction)
}

/** `1 call`, `12,345 calls`. `other` has the plural form. */
export function formatCount(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${new Intl.PluralRules('en').select(count) === 'one' ? one : other}`
}

/** `1 day`, `30 days`, in the reader's language. */
export function formatDays(days: number): string {
  return numbers({ style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}

/** A number with the ceiling at which the service stopped counting: `10,000+`. */
export function formatCapped(count: number, ceiling: number): string {
  return count >= ceiling ? `${formatNumber(ceiling)}+` : formatNumber(count)
}

/** `38 ms`, `1.24 s`, `2 min 5 s`, `3 h 20 min`, `4 d 2 h`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${formatNumber(Math.round(ms))} ms`
  if (ms < MINUTE) return `${formatNumber(Math.floor(ms / 10) / 100)} s`
  if (ms < HOUR) return twoUnits(ms, MINUTE, 'min', SECOND, 's')
  if (ms < DAY) return twoUnits(ms, HOUR, 'h', MINUTE, 'min')
  return twoUnits(ms, DAY, 'd', HOUR, 'h')
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small)
  return `${formatNumber(Math.floor(ms / large))} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`
}

/** `512 B`, `1.5 kB`, `24 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${numbers({ maximumFractionDigits: 1 }).format(bytes / 1000 ** step)} ${units[step]}`
}

/** Name of the zone at an instant: `UTC`, `GMT+1`, `EST`. */
export function zoneName(at: Date, zone: Zone): string {
  if (zone === 'UTC') return 'UTC'
  return (
    dates({ timeZoneName: 'short' }, zone)
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value ?? ''
  )
}

/** The exact instant, always with its zone: `23 Nov 2026, 14:05:09.123 GMT+1`. */
export function formatInstant(at: Date, zone: Zone): string {
  const text = dates(
    {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
      hourCycle: 'h23',
    },
    zone,
  ).format(at)
  return `${text} ${zoneName(at, zone)}`
}

/** A time that people plan with, to the minute: `23 November 2026, 14:05 GMT+1`. */
export function formatMinute(at: Date, zone: Zone): string {
  const parts = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
  return dates(parts, zone).format(at)
}

/** A time in a list: `14:05:09` today, `Yesterday, 14:05`, else `23 Nov, 14:05`; with the year if it is not this one. */
export function formatShort(at: Date, now: Date, zone: Zone): string {
  const day = formatDay(at, zone)
  if (day === formatDay(now, zone)) {
    return dates({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, zone).format(at)
  }
  if (day === formatDay(new Date(now.getTime() - DAY), zone)) return `Yesterday, ${formatTick(at, 'hour', zone)}`
  return formatDated(at, now, zone)
}

/** A time that keeps its day even today: `23 Nov, 14:05`, with the year if it is not this one. */
export function formatDated(at: Date, now: Date, zone: Zone): string {
  const year = yearOf(at, zone) === yearOf(now, zone) ? {} : ({ year: 'numeric' } as const)
  return dates({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...year }, zone).format(at)
}

/** `23 Nov, 13:50 – 14:20`, with both days if they differ, `24:00` for the end of the day, and always with the zone. */
export function formatPeriod(since: Date, until: Date, now: Date, zone: Zone): string {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const year = yearOf(since, zone) === yearOf(now, zone) ? {} : ({ year: 'numeric' } as const)
  const full = dates({ day: 'numeric', month: 'short', ...year, ...time }, zone)
  const sameDay = formatDay(since, zone) === formatDay(until, zone)
  const endOfDay = until.getTime() === daysAgo(-1, since, zone).getTime()
  const end = endOfDay ? '24:00' : sameDay ? dates(time, zone).format(until) : full.format(until)
  return `${full.format(since)} – ${end} ${zoneName(since, zone)}`
}

/** A time as an input of the type `datetime-local` has it: `2026-11-23T14:05`. */
export function writeMinute(at: Date, zone: Zone): string {
  const offset = zone === 'UTC' ? 0 : at.getTimezoneOffset() * MINUTE
  return new Date(at.getTime() - offset).toISOString().slice(0, 16)
}

/** The start of a day: 0 is today, 1 yesterday, -1 tomorrow. */
export function daysAgo(days: number, now: Date, zone: Zone): Date {
  if (zone === 'UTC') return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - days))
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
}

/** Reads what `writeMinute` writes. */
export function readMinute(text: string, zone: Zone): Date {
  return new Date(zone === 'UTC' ? `${text}Z` : text)
}

/** `23 Nov 2026`. */
export function formatDay(at: Date, zone: Zone): string {
  return dates({ day: 'numeric', month: 'short', year: 'numeric' }, zone).format(at)
}

/** The label of a point in time on a chart: `14:00`, or `23 Nov` if the points are days. */
export function formatTick(at: Date, step: 'hour' | 'day', zone: Zone): string {
  if (step === 'day') return dates({ day: 'numeric', month: 'short' }, zone).format(at)
  return dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, zone).format(at)
}

/** A whole bar of a chart: `Mon 23 Nov, 14:00 GMT+1` or `Mon 23 Nov`. */
export function formatStep(at: Date, step: 'hour' | 'day', zone: Zone): string {
  const day = dates({ weekday: 'short', day: 'numeric', month: 'short' }, zone).format(at)
  return step === 'day' ? day : `${day}, ${formatTick(at, 'hour', zone)} ${zoneName(at, zone)}`
}

function yearOf(at: Date, zone: Zone): string {
  return dates({ year: 'numeric' }, zone).format(at)
}

/** `just now`, `12 s ago`, `in 3 min`, `2 days ago`. Rounds towards zero, so "1 h ago" is never less than an hour. */
export function formatRelative(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime()
  const size = Math.abs(ms)
  if (size < 2 * SECOND) return 'just now'
  const [amount, unit] =
    size < MINUTE
      ? [size / SECOND, 's']
      : size < HOUR
        ? [size / MINUTE, 'min']
        : size < DAY
          ? [size / HOUR, 'h']
          : [size / DAY, Math.floor(size / DAY) === 1 ? 'day' : 'days']
  const text = `${formatNumber(Math.floor(Number(amount)))} ${unit}`
  return ms < 0 ? `${text} ago` : `in ${text}`
}

/** How long until a time, in the reader's language: `in 29 days`, `in 3 hours`. Rounds down. */
export function formatUntil(at: Date, now: Date): string {
  const ms = Math.max(0, at.getTime() - now.getTime())
  const [size, unit] = ms < HOUR ? ([MINUTE, 'minute'] as const) : ms < DAY ? ([HOUR, 'hour'] as const) : ([DAY, 'day'] as const)
  return new Intl.RelativeTimeFormat(locale()).format(Math.floor(ms / size), unit)
}

/** Shortens a long id in the middle: `019ac2f4…1e77`. The start names the time of a UUIDv7, the end tells neighbours apart. */
export function shortId(id: string, start = 8, end = 4): string {
  return id.length <= start + end + 2 ? id : `${id.slice(0, start)}…${id.slice(-end)}`
}

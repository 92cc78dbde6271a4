import { DOT_SEGMENTS } from '@onward/contract'
import { InvalidArgumentError } from 'commander'

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Returns a parser of times: ISO 8601 (UTC without a zone), or an age such as `15m`, `2h` or `3d`. The result is ISO 8601. */
export function timeParser(now: () => Date): (text: string) => string {
  return (text) => {
    const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
    if (unit !== undefined) return new Date(now().getTime() - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]).toISOString()
    const [, day, clock, zone] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
    const time = new Date(`${day}T${clock ?? '00:00'}${zone ?? 'Z'}`)
    // Date accepts 30 February and turns it into 2 March.
    if (Number.isNaN(time.getTime()) || !new Date(`${day}T00:00Z`).toISOString().startsWith(String(day))) {
      throw new InvalidArgumentError('Use a time such as 2026-01-31T12:00Z, or an age such as 15m, 2h or 3d.')
    }
    return time.toISOString()
  }
}

/** Returns a parser of whole numbers of at least `least`. */
export function wholeNumberParser(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < least) throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`)
    return value
  }
}

/** Parses a number of hours. Fractions are allowed. */
export function parseHours(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('It must be a number of hours, 0 or more.')
  return Number(text)
}

/** Parses a User-ID. */
export function parseUserId(text: string): string {
  if (DOT_SEGMENTS.includes(text)) throw new InvalidArgumentError('A User-ID must not be "." or "..".')
  return text
}

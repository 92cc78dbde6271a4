import { InvalidArgumentError } from 'commander'

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads a time: ISO 8601 (UTC where no zone is named) or so long ago, as `15m`, `2h` or `3d`. Gives ISO 8601. */
export function timeBefore(now: () => Date): (text: string) => string {
  return (text) => {
    const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
    if (unit !== undefined) return new Date(now().getTime() - Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]).toISOString()
    const [, day, clock, zone] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
    const time = new Date(`${day}T${clock ?? '00:00'}${zone ?? 'Z'}`)
    // Date takes the 30th of February for the 2nd of March.
    if (Number.isNaN(time.getTime()) || !new Date(`${day}T00:00Z`).toISOString().startsWith(String(day))) {
      throw new InvalidArgumentError('Give a time as 2026-01-31T12:00Z, or how long ago as 15m, 2h or 3d.')
    }
    return time.toISOString()
  }
}

/** Reads a whole number of at least `least`. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < least) throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`)
    return value
  }
}

/** Reads a number of hours; fractions are allowed. */
export function hours(text: string): number {
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new InvalidArgumentError('It must be a number of hours, 0 or more.')
  return Number(text)
}

import type { TaskHour } from './messages/task-hours.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Number of tasks in an hour, and the xor of their ids as 128 binary digits, as Postgres returns them. */
export type HourRow = { readonly hour: Date; readonly tasks: number; readonly bits: string }

/**
 * Reads the hours from `since` to before `until` in order. Calls `read` for each hour, so that no statement takes long; it returns at most
 * one row. Ends early when `signal` aborts.
 */
export async function readHours(
  since: Date,
  until: Date,
  read: (since: Date, until: Date) => Promise<HourRow[]>,
  signal?: AbortSignal,
): Promise<TaskHour[]> {
  const hours: TaskHour[] = []
  for (let from = +since; from < +until && signal?.aborted !== true; ) {
    const to = Math.min(+until, (Math.floor(from / HOUR_MS) + 1) * HOUR_MS)
    for (const { hour, tasks, bits } of await read(new Date(from), new Date(to))) {
      hours.push({ hour: hour.toISOString(), tasks, xor: BigInt(`0b${bits}`).toString(16).padStart(32, '0') })
    }
    from = to
  }
  return hours
}

/** An hour in both services; undefined in a service that has no task of this hour. */
export type ComparedHour = {
  readonly hour: string
  readonly functions: TaskHour | undefined
  readonly insights: TaskHour | undefined
  /** Whether both services have the same tasks. */
  readonly same: boolean
}

/** Compares the hours of both services, in order. */
export function compareHours(functions: readonly TaskHour[], insights: readonly TaskHour[]): ComparedHour[] {
  const byHour = (hours: readonly TaskHour[]) => new Map(hours.map((each) => [each.hour, each]))
  const [logged, counted] = [byHour(functions), byHour(insights)]
  return [...new Set([...logged.keys(), ...counted.keys()])]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((hour) => {
      const [ours, theirs] = [logged.get(hour), counted.get(hour)]
      return { hour, functions: ours, insights: theirs, same: ours?.tasks === theirs?.tasks && ours?.xor === theirs?.xor }
    })
}

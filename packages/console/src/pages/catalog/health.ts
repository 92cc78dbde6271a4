import { HOUR_MS } from '@onward/contract/pure'
import type { Statistics } from './types.ts'

const HOURS = 24

type Hour = Pick<Statistics['hours'][number], 'hour' | 'key' | 'calls' | 'failed'>

/** Calls of the last 24 hours, one number for each hour, oldest first. */
export type Health = {
  readonly calls: readonly number[]
  readonly failed: readonly number[]
  readonly all: number
  readonly allFailed: number
}

export const NO_CALLS: Health = { calls: Array(HOURS).fill(0), failed: Array(HOURS).fill(0), all: 0, allFailed: 0 }

/** Returns the health of each key, such as an app, at `now`. */
export function healthByKey(hours: readonly Hour[], now: Date): ReadonlyMap<string, Health> {
  const first = Math.floor(now.getTime() / HOUR_MS) - HOURS + 1
  const byKey = new Map<string, { calls: number[]; failed: number[] }>()
  for (const { hour, key, calls, failed } of hours) {
    const at = Math.floor(new Date(hour).getTime() / HOUR_MS) - first
    if (at < 0 || at >= HOURS) continue
    const name = key ?? ''
    const found = byKey.get(name) ?? { calls: Array<number>(HOURS).fill(0), failed: Array<number>(HOURS).fill(0) }
    byKey.set(name, found)
    found.calls[at] = calls
    found.failed[at] = failed
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return new Map([...byKey].map(([key, one]) => [key, { ...one, all: sum(one.calls), allFailed: sum(one.failed) }]))
}

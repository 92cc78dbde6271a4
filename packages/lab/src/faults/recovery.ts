import { setTimeout as sleep } from 'node:timers/promises'
import type { Rig } from '../rig/open-rig.ts'
import { countRows, queryPostgres } from '../rig/postgres-server.ts'
import { type Finding, readCounters } from './counts.ts'
import type { Load } from './load.ts'

/** How many milliseconds after the end of a fault each part worked again. */
export type Recovery = { readonly [Part in keyof typeof PARTS]: number }

/** The parts that are judged, and what it means that each works again. */
const PARTS = {
  calls: 'each process of functions answered a call 200',
  counts: 'each process of insights counted tasks',
  transactions: 'no transaction was open since the fault',
}

/** How long to wait at least, so that a report says how long it took even when that is too long. */
const LEAST_WAIT_MS = 60_000
const POLL_MS = 250

/**
 * Waits until the system works again after a fault that has just ended, at most a minute or `limitMs`. A part that does not work until then
 * gets Infinity. `since` is when the fault began, by Postgres.
 */
export async function recover(rig: Rig, load: Load, since: string, limitMs: number): Promise<Recovery> {
  const giveUpMs = Math.max(LEAST_WAIT_MS, limitMs)
  const from = performance.now()
  const now = await readClock(rig)
  const counting = await readCounters(rig.insightsDb, '-infinity')
  async function until(works: () => Promise<boolean>): Promise<number> {
    while (performance.now() - from < giveUpMs) {
      if (await works().catch(() => false)) return performance.now() - from
      await sleep(POLL_MS)
    }
    return Number.POSITIVE_INFINITY
  }
  const [calls, counts, transactions] = await Promise.all([
    until(async () => {
      load.probe()
      return load.receivedAt.every((at) => at > from)
    }),
    until(async () => {
      load.probe()
      const again = await readCounters(rig.insightsDb, now)
      return counting.every((name) => again.includes(name))
    }),
    until(async () => {
      const open = `pg_stat_activity where state like 'idle in transaction%' and state_change between '${since}' and '${now}'`
      const counts = await Promise.all([rig.postgres, rig.insightsPostgres].map(({ url }) => countRows(url, open)))
      return counts.every((n) => n === 0)
    }),
  ])
  return { calls, counts, transactions }
}

/** Returns the time of Postgres. */
export async function readClock({ postgres }: Pick<Rig, 'postgres'>): Promise<string> {
  const [row] = await queryPostgres<{ now: string }>(postgres.url, 'select clock_timestamp()::text as now')
  return row?.now ?? ''
}

/** Returns for example `calls 0.3 s, counts 0.5 s, transactions 0.1 s`. */
export function recoveryText(recovery: Recovery): string {
  return Object.entries(recovery)
    .map(([part, ms]) => `${part} ${(ms / 1_000).toFixed(1)} s`)
    .join(', ')
}

/** Finds the faults after which something took longer than `limitMs`. */
export function checkRecoveries(recoveries: readonly (readonly [fault: string, Recovery])[], limitMs: number): Finding[] {
  return Object.entries(PARTS).map(([name, words]) => {
    const part = name as keyof Recovery
    const slow = recoveries.filter(([, recovery]) => recovery[part] > limitMs)
    const longest = Math.max(0, ...recoveries.map(([, recovery]) => recovery[part]))
    const found = slow.map(([fault, recovery]) => `${fault} ${(recovery[part] / 1_000).toFixed(1)} s`).join(', ')
    return {
      what: `within ${limitMs / 1_000} s after a fault, ${words}; longest ${(longest / 1_000).toFixed(1)} s`,
      found: found || 'always',
      holds: slow.length === 0,
    }
  })
}

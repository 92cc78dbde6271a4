import { HOUR_MS } from '@onward/contract'
import { type CallGroup, hourOf, readCallGroups, readClock } from '../db/call-statistics.ts'
import type { Db } from '../db/tables.ts'
import { mergeGroups } from './call-groups.ts'

/** The calls of the running hour and the hour before it. The same hour, function and result can have two groups. */
export type RecentCalls = { readonly asOf: Date; readonly since: Date; readonly groups: readonly CallGroup[] }

/** How long a result is used. */
const FRESH_MS = 15_000
/** After this time, calls are not read again, although some can still be in progress. */
const SETTLED_MS = 120_000

/**
 * Returns a function that counts recent calls, at most once in 15 s. Each time it reads only the calls of the last two minutes and of the
 * time since it last ran; the first time it reads up to two hours.
 */
export function openRecentCalls(db: Db): () => Promise<RecentCalls> {
  const settled = { until: new Date(0), groups: new Map<string, CallGroup>() }
  let latest: { readonly at: number; readonly calls: RecentCalls } | undefined
  let reading: Promise<RecentCalls> | undefined

  async function read(): Promise<RecentCalls> {
    const asOf = await readClock(db)
    const since = new Date(+hourOf(asOf) - HOUR_MS)
    for (const [key, { hour }] of settled.groups) if (hour < since) settled.groups.delete(key)
    await readSpan(settled.until > since ? settled.until : since, new Date(+asOf - SETTLED_MS), (groups, end) => {
      mergeGroups(settled.groups, groups)
      settled.until = end
    })
    const open: CallGroup[] = []
    // A process can make ids that are slightly ahead of the clock of Postgres.
    await readSpan(settled.until > since ? settled.until : since, new Date(+asOf + SETTLED_MS), (groups) => {
      for (const group of groups) open.push(group)
    })
    return { asOf, since, groups: [...settled.groups.values(), ...open] }
  }

  /** Reads hour by hour, because the groups of a part belong to one hour. */
  async function readSpan(from: Date, to: Date, take: (groups: CallGroup[], end: Date) => void): Promise<void> {
    for (let start = from; start < to; ) {
      const end = new Date(Math.min(+hourOf(start) + HOUR_MS, +to))
      await readCallGroups(db, start, end, take)
      start = end
    }
  }

  async function refresh(): Promise<RecentCalls> {
    const at = performance.now()
    try {
      latest = { at, calls: await read() }
      return latest.calls
    } finally {
      reading = undefined
    }
  }

  return async () => {
    if (latest !== undefined && performance.now() - latest.at < FRESH_MS) return latest.calls
    reading ??= refresh()
    return await reading
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Rig } from './open-rig.ts'

const QUIET_MS = 60_000

/** Waits until so many deliveries fulfil a condition, or until their number has not changed for a minute. Gives the number. */
export async function waitUntilQuiet(rig: Rig, condition: RawBuilder<boolean>, expected: number): Promise<number> {
  let before = -1
  for (let changed = performance.now(); performance.now() - changed < QUIET_MS; await sleep(200)) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from delivery where ${condition}`.execute(rig.db)
    const count = rows[0]?.count ?? 0
    if (count >= expected) return count
    if (count !== before) changed = performance.now()
    before = count
  }
  return before
}

import { setTimeout as sleep } from 'node:timers/promises'
import { askPostgres } from '../ask-postgres.ts'
import type { Rig } from '../rig/open-rig.ts'
import type { Watch } from './watch.ts'

/** Leases and silent processes are given up after 30 s, a stalled job after 20 s, a claimed delivery after 30 s, each in turn. */
const QUIET_MS = 240_000

/** Waits until nothing is on its way any more. Gives the milliseconds that it took; throws with what still waits. */
export async function waitUntilQuiet(rig: Rig, watch: Watch): Promise<number> {
  const from = performance.now()
  for (;;) {
    const waiting = await countWaiting(rig, watch)
    const left = Object.entries(waiting).filter(([, n]) => n > 0)
    if (left.length === 0) return performance.now() - from
    if (performance.now() - from > QUIET_MS) throw new Error(`not quiet after ${QUIET_MS / 1_000} s: ${JSON.stringify(waiting)}`)
    await sleep(250)
  }
}

async function countWaiting(rig: Rig, watch: Watch): Promise<Record<string, number>> {
  const one = async (url: string, text: string) =>
    (await askPostgres<{ n: number }>(url, `select count(*)::int as n from ${text}`))[0]?.n ?? 0
  return {
    attempts: await one(rig.functionsDb, 'call_attempt'),
    outbox: await one(rig.functionsDb, 'outbox'),
    deliveries: await one(rig.insightsDb, 'delivery where delivered_at is null and failed_at is null'),
    jobs: await watch.jobs(),
  }
}

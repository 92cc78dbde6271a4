import { setTimeout as sleep } from 'node:timers/promises'
import { TIMING } from '@onward/insights'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { openChance } from '../faults/chance.ts'
import type { Totals } from '../receivers/ledger.ts'
import { feed, feedLost, makeTasks } from './feed.ts'
import { type Insights, openRig, type Rig } from './open-rig.ts'
import { type Recorded, readRecorded } from './read-recorded.ts'
import { subscribe } from './subscribe.ts'
import { waitUntilQuiet } from './wait-until-quiet.ts'

/** Twenty attempts: of receivers that fail three times in ten, none fails as often in a row. */
const FAST = {
  ...TIMING,
  delaysMs: [0, 200, 400, 800, ...Array.from({ length: 16 }, () => 1_600)],
  deadlineMs: 1_000,
  sweepEveryMs: 500,
  overdueMs: 1_000,
}
const PROCESSES = 2
const PORTS = 20

export type Play = {
  readonly deliveries: number
  readonly endpoints: number
  /** Of 100 requests, so many fail. */
  readonly failing: number
  readonly kills: number
  /** How often the queue is emptied, all of it. */
  readonly flushes: number
  /** Deliveries in a second. */
  readonly rate: number
  readonly seed: number
}

/** What came of it, as receivers and as the table have it. `lost` tasks had to be put in the queue again before they made a delivery. */
export type Played = { readonly received: Totals; readonly recorded: Recorded; readonly lost: number }

/** Has deliveries made and sent by two processes while these are killed, one at a time, and waits until all is quiet. `queueUrl` is needed to empty it. */
export async function play({ deliveries, endpoints, failing, kills, flushes, rate, seed }: Play, queueUrl: string): Promise<Played> {
  const rig = await openRig({ ports: PORTS, failing, seed, timing: FAST })
  try {
    const processes = [await rig.startInsights()]
    const urls = Array.from({ length: endpoints }, (_, n) => `${rig.receivers.ready[n % PORTS]}/flaky/${n}`)
    const tasks = makeTasks(await subscribe(processes[0] as Insights, urls), deliveries)
    while (processes.length < PROCESSES) processes.push(await rig.startInsights())

    const faults = planFaults({ seed, deliveries, kills, flushes })
    const inHand: Promise<void>[] = []
    await feed(rig, tasks, rate, async (fed) => {
      for (let fault = faults[0]; fault !== undefined && fault.at <= fed; fault = faults[0]) {
        faults.shift()
        inHand.push(fault.victim === 'queue' ? emptyQueue(queueUrl) : replace(rig, processes, fault.victim))
      }
    })
    await Promise.all(inHand)
    const made = await waitUntilQuiet(rig, sql`true`, deliveries)
    const lost = made < deliveries ? await feedLost(rig, tasks) : 0
    await waitUntilQuiet(rig, sql`delivered_at is not null or failed_at is not null`, deliveries)
    return { received: await rig.receivers.ask<Totals>('totals'), recorded: await readRecorded(rig.db), lost }
  } finally {
    await rig.close()
  }
}

type Fault = { readonly at: number; readonly victim: number | 'queue' }

/** Faults at random moments, each when so many tasks have been fed. */
function planFaults({ seed, deliveries, kills, flushes }: Pick<Play, 'seed' | 'deliveries' | 'kills' | 'flushes'>): Fault[] {
  const chance = openChance(seed)
  const at = () => chance.between(0.02, 0.98) * deliveries
  return [
    ...Array.from({ length: kills }, () => ({ at: at(), victim: Math.floor(chance.between(0, PROCESSES)) })),
    ...Array.from({ length: flushes }, () => ({ at: at(), victim: 'queue' as const })),
  ].sort((a, b) => a.at - b.at)
}

/** Kills a process, and starts another one in its place. One that is being replaced is waited for. */
async function replace(rig: Rig, processes: (Insights | undefined)[], n: number): Promise<void> {
  while (processes[n] === undefined) await sleep(50)
  const victim = processes[n]
  processes[n] = undefined
  await rig.killInsights(victim)
  processes[n] = await rig.startInsights()
}

/** All jobs are gone, of tasks and of deliveries. */
async function emptyQueue(queueUrl: string): Promise<void> {
  const redis = new Redis(queueUrl)
  await redis.flushall()
  redis.disconnect()
}

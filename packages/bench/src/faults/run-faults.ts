import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, openChance } from './chance.ts'
import { check } from './check/check.ts'
import type { Finding } from './check/finding.ts'
import { dropUniqueKey, noteProposals } from './check/proposals.ts'
import { waitUntilQuiet } from './check/quiet.ts'
import { type MostSeen, openWatch } from './check/watch.ts'
import { type Fault, PACES } from './fault.ts'
import { type Load, openLoad } from './load.ts'
import { makePlan } from './plan.ts'
import { provision } from './provision.ts'
import type { Rig } from './rig/open-rig.ts'
import { startProcesses } from './start-processes.ts'

export type RunOptions = {
  readonly seed: number
  /** Calls to be answered 200, at least; the load goes on until the last fault is over. */
  readonly tasks: number
  readonly users: number
  readonly callers: number
  readonly faults: number
  /** What may happen. */
  readonly from: readonly Fault[]
  readonly pace: keyof typeof PACES
  /** True: without the unique key, so that the check has something to find. */
  readonly control: boolean
  readonly say: (line: string) => void
}

export type Report = {
  readonly findings: readonly Finding[]
  readonly ran: readonly string[]
  readonly failed: ReadonlyMap<string, number>
  readonly loadMs: number
  readonly quietMs: number
  readonly answered: number
  readonly queue: MostSeen
}

/** Calls that stand still for so long stand still for good. */
const STUCK_MS = 150_000

/** One run on a rig that is open and not started: load, faults, quiet, check. */
export async function runFaults(rig: Rig, options: RunOptions): Promise<Report> {
  const { tasks, users, callers, say } = options
  const plan = makePlan(options.from, options.faults, openChance(options.seed))
  await startProcesses(rig)
  await noteProposals(rig.insightsDb)
  if (options.control) await dropUniqueKey(rig.insightsDb)
  const people = await provision(rig, users, Math.floor(tasks / users))
  const watch = await openWatch(rig)
  const began = performance.now()
  const load = openLoad({ urls: rig.functions.map(({ url }) => url), users: people, callers })
  const ran: string[] = []
  const aside: Promise<void>[] = []

  async function make(fault: Fault, chance: Chance): Promise<void> {
    const at = ((performance.now() - began) / 1_000).toFixed(1)
    const what = await fault.run(rig, chance, PACES[options.pace])
    ran.push(fault.name)
    say(`${at.padStart(7)} s  ${fault.name.padEnd(22)} ${what}; ${load.answered.length} answered`)
  }

  try {
    for (const [i, fault] of plan.entries()) {
      await reach(load, (tasks * (i + 1)) / (plan.length + 1))
      const made = make(fault, openChance(options.seed + i + 1))
      if (!fault.aside) await made
      else {
        // Its failure is waited for below.
        made.catch(() => {})
        aside.push(made)
      }
    }
    await Promise.all(aside)
    await reach(load, tasks)
    await load.stop()
    const loadMs = performance.now() - began
    const quietMs = await waitUntilQuiet(rig, watch)
    const findings = await check(rig, load, watch, users)
    return { findings, ran, failed: load.failed, loadMs, quietMs, answered: load.answered.length, queue: watch.most }
  } finally {
    await Promise.allSettled(aside)
    await load.stop()
    await watch.close()
  }
}

/** Waits until so many calls were answered. */
async function reach(load: Load, answered: number): Promise<void> {
  let [seen, at] = [-1, 0]
  while (load.answered.length < answered) {
    if (load.answered.length !== seen) [seen, at] = [load.answered.length, performance.now()]
    else if (performance.now() - at > STUCK_MS)
      throw new Error(`no call was answered for ${STUCK_MS / 1_000} s: ${JSON.stringify([...load.failed])}`)
    await sleep(20)
  }
}

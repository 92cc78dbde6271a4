import { type Chance, openChance } from '../numbers.ts'
import type { Rig } from '../rig/open-rig.ts'
import { check } from './check.ts'
import { dropUniqueKey, type Finding, recordProposals } from './counts.ts'
import { type Fault, PACES } from './fault.ts'
import { openLoad, provision, untilAnswered } from './load.ts'
import { openWatch, type Peak } from './watch.ts'

export type RunOptions = {
  readonly seed: number
  /** Minimum number of calls answered 200; the load continues until the last fault is over. */
  readonly tasks: number
  readonly users: number
  readonly callers: number
  /** How many faults happen, and which ones can. */
  readonly faults: number
  readonly from: readonly Fault[]
  readonly pace: keyof typeof PACES
  /** True removes the unique key, so that the check must find duplicates. */
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
  readonly peak: Peak
}

/** Starts the rig, and makes faults under a load. Waits until the system is quiet, and checks it. */
export async function runFaults(rig: Rig, options: RunOptions): Promise<Report> {
  const { tasks, users, callers, say } = options
  const plan = planFaults(options.from, options.faults, openChance(options.seed))
  await rig.start()
  await recordProposals(rig.insightsDb)
  if (options.control) await dropUniqueKey(rig.insightsDb)
  const people = await provision(rig, users, Math.floor(tasks / users))
  const watch = await openWatch(rig)
  const began = performance.now()
  const load = openLoad(rig, { users: people, callers })
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
      await untilAnswered(load, (tasks * (i + 1)) / (plan.length + 1))
      const made = make(fault, openChance(options.seed + i + 1))
      if (!fault.aside) await made
      else {
        // `Promise.all` below reports its failure.
        made.catch(() => {})
        aside.push(made)
      }
    }
    await Promise.all(aside)
    await untilAnswered(load, tasks)
    await load.stop()
    const loadMs = performance.now() - began
    const quietMs = await watch.untilQuiet()
    const findings = await check(rig, load, watch.peak, users)
    return { findings, ran, failed: load.failed, loadMs, quietMs, answered: load.answered.length, peak: watch.peak }
  } finally {
    await Promise.allSettled(aside)
    await load.stop()
    await watch.close()
  }
}

/** Returns `count` faults in random order: each occurs once before any occurs again. */
function planFaults(faults: readonly Fault[], count: number, chance: Chance): Fault[] {
  const plan: Fault[] = []
  while (plan.length < count && faults.length > 0) plan.push(...chance.shuffle(faults).slice(0, count - plan.length))
  return plan
}

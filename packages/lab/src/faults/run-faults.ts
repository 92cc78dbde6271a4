import { type Chance, openChance } from '../numbers.ts'
import type { Rig } from '../rig/open-rig.ts'
import { openAccountEvents } from './account-events.ts'
import { check } from './check.ts'
import { dropUniqueKey, type Finding, recordProposals } from './counts.ts'
import { type Fault, NotMade, PACES } from './fault.ts'
import { openKeyedCalls } from './keyed-calls.ts'
import { openLimitedUsers } from './limited-users.ts'
import { openLoad, provision, untilAnswered } from './load.ts'
import { checkRecoveries, type Recovery, readClock, recover, recoveryText } from './recovery.ts'
import { connectRenewing } from './renewals.ts'
import { openWatch, type Peak } from './watch.ts'

export type RunOptions = {
  readonly seed: number
  /** Minimum number of calls answered 200; the load continues until the last fault is over. */
  readonly tasks: number
  readonly users: number
  readonly callers: number
  /** How many faults are made, and from which kinds they are chosen. */
  readonly faults: number
  readonly candidates: readonly Fault[]
  readonly pace: keyof typeof PACES
  /** How long the system may take to work again after each fault. */
  readonly recoveryMs: number
  /** True removes the unique key, so that the check must find duplicates. */
  readonly control: boolean
  readonly say: (line: string) => void
}

export type Report = {
  readonly findings: readonly Finding[]
  readonly ran: readonly string[]
  /** Faults whose moment did not come. */
  readonly notMade: readonly string[]
  readonly failed: ReadonlyMap<string, number>
  readonly loadMs: number
  readonly quietMs: number
  readonly answered: number
  readonly peak: Peak
}

/** Share of the users whose access tokens expire every few seconds. As many further users are blocked at their limits. */
const SHARE = 0.15

/** Starts the rig, makes faults under a load, waits until nothing is in flight, and checks the result. */
export async function runFaults(rig: Rig, options: RunOptions): Promise<Report> {
  const { tasks, users, callers, say } = options
  const plan = planFaults(options.candidates, options.faults, openChance(options.seed))
  await rig.start()
  await recordProposals(rig.insightsDb)
  if (options.control) await dropUniqueKey(rig.insightsDb)
  const share = Math.ceil(users * SHARE)
  const plain = await provision(rig, users, Math.floor(tasks / (users + share)))
  const watch = await openWatch(rig)
  const began = performance.now()
  const chance = openChance(options.seed)
  const keyedCalls = openKeyedCalls(chance)
  const renewing = await connectRenewing(rig, chance.shuffle(plain).slice(0, share))
  const limited = await openLimitedUsers(rig, share, chance)
  const accountEvents = await openAccountEvents(rig, chance)
  const others = plain.filter(({ id }) => renewing.users.every((user) => user.id !== id))
  const all = [...others, ...renewing.users, ...limited.users]
  const load = openLoad(rig, { users: chance.shuffle(all), callers, keyedCalls })
  limited.begin(() => load.answered.length / all.length)
  accountEvents.begin()
  const ran: string[] = []
  const notMade: string[] = []
  const recoveries: (readonly [string, Recovery])[] = []
  const concurrent: Promise<void>[] = []
  const active = new Set<Fault>()
  let begun = 0

  async function make(fault: Fault, chance: Chance): Promise<void> {
    const at = ((performance.now() - began) / 1_000).toFixed(1)
    const print = (what: string) => say(`${at.padStart(7)} s  ${fault.name.padEnd(22)} ${what}; ${load.answered.length} answered`)
    active.add(fault)
    begun++
    setExpected()
    try {
      const since = await readClock(rig)
      const what = await fault.run(rig, chance, PACES[options.pace])
      ran.push(fault.name)
      // Beside another fault, the time would say nothing about this one.
      const faults = begun
      const recovery = active.size === 1 ? await recover(rig, load, since, options.recoveryMs) : undefined
      if (recovery === undefined || begun !== faults) return print(`${what}; beside another fault`)
      recoveries.push([fault.name, recovery])
      print(`${what}; ${recoveryText(recovery)}`)
    } catch (err) {
      if (!(err instanceof NotMade)) throw err
      notMade.push(fault.name)
      print(`NOT MADE: ${err.message}`)
    } finally {
      active.delete(fault)
      setExpected()
    }
  }

  function setExpected(): void {
    load.expected = active.size === 0 ? 'works' : [...active].every(({ answered }) => answered) ? 'answers' : 'anything'
  }

  try {
    for (const [i, fault] of plan.entries()) {
      await untilAnswered(load, (tasks * (i + 1)) / (plan.length + 1))
      const made = make(fault, openChance(options.seed + i + 1))
      if (!fault.concurrent) await made
      else {
        // Prevents an unhandled rejection. `Promise.all` below throws the error.
        made.catch(() => {})
        concurrent.push(made)
      }
    }
    await Promise.all(concurrent)
    await untilAnswered(load, tasks)
    await Promise.all([load.drain(), limited.end(), accountEvents.end()])
    const loadMs = performance.now() - began
    load.answered.push(...(await keyedCalls.settle(load.attempt)), ...(await renewing.settle(load.attempt)))
    const quietMs = await watch.untilQuiet()
    load.answered.push(...(await limited.settle(load.attempt)))
    await watch.untilQuiet()
    const findings = [
      ...(await check(rig, load, watch.peak, users)),
      ...(await keyedCalls.check(rig)),
      ...(await renewing.check(rig)),
      ...(await limited.check()),
      ...(await accountEvents.check()),
      ...checkRecoveries(recoveries, options.recoveryMs),
    ]
    return { findings, ran, notMade, failed: load.failed, loadMs, quietMs, answered: load.answered.length, peak: watch.peak }
  } finally {
    await Promise.allSettled(concurrent)
    await Promise.all([load.stop(), limited.end(), accountEvents.end()])
    await watch.close()
  }
}

/** Returns `count` faults in random order: each occurs once before any occurs again. */
function planFaults(candidates: readonly Fault[], count: number, chance: Chance): Fault[] {
  const plan: Fault[] = []
  while (plan.length < count && candidates.length > 0) plan.push(...chance.shuffle(candidates).slice(0, count - plan.length))
  return plan
}

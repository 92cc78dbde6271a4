import type { Command, Given, Tools } from '../rig/command-line.ts'
import type { Rig } from '../rig/open-rig.ts'
import { STORES, type StoreKind } from '../rig/stores.ts'
import { CLOCK_FAULTS } from './clock-faults.ts'
import { assertFindings, countsText } from './counts.ts'
import type { Fault } from './fault.ts'
import { MOMENT_FAULTS } from './moment-faults.ts'
import { NETWORK_FAULTS } from './network-faults.ts'
import { PROCESS_FAULTS } from './process-faults.ts'
import { type Report, runFaults } from './run-faults.ts'
import { STORE_FAULTS } from './store-faults.ts'
import { peakText } from './watch.ts'

export const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, ...MOMENT_FAULTS, ...STORE_FAULTS, ...NETWORK_FAULTS, ...CLOCK_FAULTS]

/** Faults that always cause a repeated task event. Without the unique key, B counts it twice. */
const DUPLICATING = ['kill-b-commit', 'cut-b-commit']

/** Findings that must fail in the control. */
const FAILING_IN_CONTROL = ['counted twice', 'users whose usage differs from the log', 'hours in which count or xor of the ids differ']

export const plan: Command = {
  summary:
    'faults in random order under a load, then (without --only) the control without the unique key; 0 takes the default; --recovery in s',
  options: {
    short: false,
    control: false,
    only: '',
    on: 'redis',
    old: '',
    seed: 1,
    tasks: 0,
    faults: 0,
    users: 0,
    callers: 48,
    recovery: 10,
  },
  async run(tools, given) {
    const on = readStore(given)
    if (!given.flag('control')) await runPlan(tools, given, on)
    if (given.text('only') === '') await runControl(tools, given.number('seed'), on)
  },
}

/** Returns where the queue is stored, from `--on`. Throws for an unknown value. */
export function readStore(given: Given): StoreKind {
  const on = STORES.find((store) => store === given.text('on'))
  if (on === undefined) throw new Error(`--on must be one of ${STORES.join(', ')}`)
  return on
}

async function runPlan(tools: Tools, given: Given, on: StoreKind): Promise<void> {
  const short = given.flag('short')
  const size = short ? { tasks: 10_000, users: 100, processes: 2 } : { tasks: 1_000_000, users: 1_000, processes: 3 }
  const processes = { functions: size.processes, insights: size.processes }
  await tools.withRig({ on, ...processes, old: given.text('old'), tmpfs: true }, async (rig) => {
    const candidates = selectFaults(rig, given.text('only'), short, tools.say)
    const options = {
      seed: given.number('seed'),
      tasks: given.number('tasks') || size.tasks,
      users: given.number('users') || size.users,
      callers: given.number('callers'),
      faults: given.number('faults') || candidates.length,
      recoveryMs: given.number('recovery') * 1_000,
      pace: short ? ('short' as const) : ('long' as const),
    }
    tools.say(JSON.stringify(options))
    printReport(await runFaults(rig, { ...options, candidates, control: false, say: tools.say }), tools.say)
  })
}

async function runControl({ say, withRig }: Tools, seed: number, on: StoreKind): Promise<void> {
  say('Control: without the unique key, the same check must find tasks that were counted twice.')
  await withRig({ on }, async (rig) => {
    const candidates = FAULTS.filter(({ name }) => DUPLICATING.includes(name))
    const options = { seed, tasks: 2_000, users: 20, callers: 24, faults: 4, pace: 'short' as const, recoveryMs: 60_000 }
    const { findings } = await runFaults(rig, { ...options, candidates, control: true, say })
    for (const what of FAILING_IN_CONTROL) {
      const finding = findings.find((each) => each.what === what)
      if (finding?.holds !== false) throw new Error(`the control did not fail: ${what}: ${finding?.found}`)
      say(`found, as it must be: ${what}: ${finding.found}`)
    }
  })
}

/** Returns the faults of `--only`, or of a short or long run, that this machine can make, and prints the others. */
function selectFaults(rig: Rig, only: string, short: boolean, say: (line: string) => void): Fault[] {
  const names = only === '' ? FAULTS.filter(({ long }) => !short || long !== true).map(({ name }) => name) : only.split(',')
  const unknown = names.filter((name) => !FAULTS.some((fault) => fault.name === name))
  if (unknown.length > 0) throw new Error(`unknown faults: ${unknown.join(', ')}; see \`faults help\``)
  return FAULTS.filter((fault) => {
    const reason = fault.whyImpossible?.(rig)
    if (names.includes(fault.name) && reason !== undefined) say(`LEFT OUT: ${fault.name}: ${reason}`)
    return names.includes(fault.name) && reason === undefined
  })
}

/** Prints the report. Throws when something that must hold does not. */
function printReport({ findings, failed, peak, ran, notMade, answered, loadMs, quietMs }: Report, say: (line: string) => void): void {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  say(`${ran.length} faults of ${new Set(ran).size} kinds; ${answered} answered in ${seconds(loadMs)}, quiet after ${seconds(quietMs)}`)
  for (const name of notMade) say(`NOT MADE: ${name}: its moment did not come`)
  say(`repeated by the callers: ${countsText(failed)}`)
  say(`queue at most: ${peakText(peak)}`)
  assertFindings(findings, say)
}

import type { Command, Desk } from '../command.ts'
import type { Fault } from '../fault.ts'
import { FAULTS } from '../faults/all.ts'
import { judge } from '../judge.ts'
import type { Rig } from '../rig/open-rig.ts'
import { runFaults } from '../run-faults.ts'

/** Faults that make duplicates for certain: the control needs some. */
const DOUBLING = ['kill-b-commit', 'cut-b-commit']

/** Faults in an order of chance under a load of calls; then a short control run without the unique key, which must fail. */
export const plan: Command = {
  summary: 'faults in an order of chance, then the control: [--short] [--only a,b] [--on postgres|cluster|pgbouncer] [--control]',
  async run(desk) {
    if (!desk.arguments.control) await runPlan(desk)
    await runControl(desk)
  },
}

async function runPlan(desk: Desk): Promise<void> {
  const { arguments: given, say } = desk
  const size = given.short ? { tasks: 10_000, users: 100, processes: 2 } : { tasks: 1_000_000, users: 1_000, processes: 3 }
  await desk.withRig({ functions: size.processes, insights: size.processes, tmpfs: true }, async (rig) => {
    const from = usable(rig, FAULTS, given.only, say)
    const options = {
      seed: given.number('seed', 1),
      tasks: given.number('tasks', size.tasks),
      users: given.number('users', size.users),
      callers: given.number('callers', 48),
      faults: given.number('faults', given.short ? from.length : 40),
      pace: given.short ? ('short' as const) : ('long' as const),
    }
    say(JSON.stringify(options))
    judge(await runFaults(rig, { ...options, from, control: false, say }), say)
  })
}

async function runControl(desk: Desk): Promise<void> {
  desk.say('Control: without the unique key the same check must find tasks that were counted twice.')
  await desk.withRig({}, async (rig) => {
    const from = FAULTS.filter(({ name }) => DOUBLING.includes(name))
    const options = { seed: desk.arguments.number('seed', 1), tasks: 2_000, users: 20, callers: 24, faults: 4, pace: 'short' as const }
    const { findings } = await runFaults(rig, { ...options, from, control: true, say: desk.say })
    const found = new Map(findings.map((finding) => [finding.what, finding]))
    const doubled = ['counted twice', 'users whose usage is not what the log says', 'hours in which count or xor of the ids differ']
    for (const what of doubled) {
      if (found.get(what)?.holds !== false) throw new Error(`the control did not fail: ${what}: ${found.get(what)?.found}`)
      desk.say(`found as it must be: ${what}: ${found.get(what)?.found}`)
    }
  })
}

/** Those that can be had here; says loudly which can't. */
function usable(rig: Rig, faults: readonly Fault[], only: readonly string[] | undefined, say: (line: string) => void): Fault[] {
  const unknown = only?.filter((name) => !faults.some((fault) => fault.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}; --list names them`)
  const wanted = faults.filter(({ name }) => only?.includes(name) ?? true)
  return wanted.filter((fault) => {
    const reason = fault.lacks?.(rig)
    if (reason !== undefined) say(`LEFT OUT: ${fault.name}: ${reason}`)
    return reason === undefined
  })
}

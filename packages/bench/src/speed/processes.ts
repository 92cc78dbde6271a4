import type { Command } from '../rig/command-line.ts'
import { withOwnCpus } from '../rig/cpu.ts'
import { type Full, loadFully, type Plan } from './call.ts'
import { type Onward, openOnward } from './call-variants.ts'

/** With one process of functions, and with two. */
type Pair = { readonly one: Full; readonly two: Full }

export const processes: Command = {
  summary: 'calls per second and CPU time of each call, with two processes of functions and with one',
  options: { rounds: 5, seconds: 6, connections: 64, users: 1_000 },
  async run({ say, withRig, report }, given) {
    const plan = { rounds: given.number('rounds'), seconds: given.number('seconds'), connections: given.number('connections') }
    await withOwnCpus(2, async (prepare, count) => {
      await withRig({ functions: 2, insights: 1, links: false, built: true, realDisks: true }, async (rig) => {
        const pairs = await measureProcesses(await openOnward(rig, given.number('users')), plan, prepare)
        say(`the processes of functions had ${count} CPUs`)
        const ratio = (value: (full: Full) => number) => pairs.map(({ one, two }) => value(two) / value(one))
        report([
          {
            name: 'P4',
            what: 'CPU of a call, two processes divided by one',
            values: ratio(({ cpu }) => cpu.process),
            unit: '',
            atMost: 1.1,
          },
          ...(count < 2
            ? []
            : [
                {
                  name: 'P4',
                  what: 'calls per second, two processes divided by one',
                  values: ratio(({ perSecond }) => perSecond),
                  unit: '',
                  atLeast: 1.8,
                },
              ]),
        ])
      })
    })
  },
}

/** `two` has two processes of functions; `prepare` gets the id of each. */
export async function measureProcesses(two: Onward, plan: Plan, prepare: (pid: number) => void): Promise<Pair[]> {
  two.pids.process.forEach(prepare)
  const one = { ...two, urls: two.urls.slice(0, 1) }
  await loadFully(two, plan)
  const pairs: Pair[] = []
  while (pairs.length < plan.rounds) pairs.push({ one: await loadFully(one, plan), two: await loadFully(two, plan) })
  return pairs
}

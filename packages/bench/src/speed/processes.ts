import type { Command } from '../rig/command-line.ts'
import { withOwnCpus } from '../rig/cpu.ts'
import { type Full, loadFully, type Plan, warmUp } from './call.ts'
import { type Onward, openOnward } from './call-variants.ts'

/**
 * Results with one process of functions, with two that share its connections, and with two that have as many each. With half the
 * connections, a process stores half as many calls in each group commit.
 */
type Round = { readonly one: Full; readonly shared: Full; readonly each: Full }

export const processes: Command = {
  summary: 'calls per second and CPU time of each call, with two processes of functions and with one',
  options: { rounds: 5, seconds: 6, connections: 64, users: 1_000 },
  async run({ say, withRig, report }, given) {
    const plan = { rounds: given.number('rounds'), seconds: given.number('seconds'), connections: given.number('connections') }
    await withOwnCpus(2, async (prepare, count) => {
      await withRig({ functions: 2, insights: 1, links: false, built: true, realDisks: true }, async (rig) => {
        const rounds = await measureProcesses(await openOnward(rig, given.number('users')), plan, prepare)
        say(`the processes of functions had ${count} CPUs`)
        const ratio = (value: (full: Full) => number, two: 'shared' | 'each') => rounds.map((round) => value(round[two]) / value(round.one))
        const cpu = ({ cpu: { process } }: Full) => process
        report([
          {
            name: 'P4',
            what: `CPU of a call, two processes divided by one, each with ${plan.connections} connections`,
            values: ratio(cpu, 'each'),
            unit: '',
            atMost: 1.1,
          },
          {
            name: 'P4',
            what: `the same, with ${plan.connections} connections for both`,
            values: ratio(cpu, 'shared'),
            unit: '',
            atMost: 1.1,
          },
          ...(count < 2
            ? []
            : [
                {
                  name: 'P4',
                  what: 'calls per second, two processes divided by one',
                  values: ratio(({ perSecond }) => perSecond, 'each'),
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
export async function measureProcesses(two: Onward, plan: Plan, prepare: (pid: number) => void): Promise<Round[]> {
  two.pids.process.forEach(prepare)
  const one = { ...two, urls: two.urls.slice(0, 1) }
  const twice = { ...plan, connections: 2 * plan.connections }
  await warmUp(two, twice)
  const rounds: Round[] = []
  while (rounds.length < plan.rounds) {
    rounds.push({ one: await loadFully(one, plan), shared: await loadFully(two, plan), each: await loadFully(two, twice) })
  }
  return rounds
}

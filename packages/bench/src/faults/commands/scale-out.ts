import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntilQuiet } from '../check/quiet.ts'
import { openWatch } from '../check/watch.ts'
import type { Command } from '../command.ts'
import { openLoad } from '../load.ts'
import { provision } from '../provision.ts'
import type { Supervised } from '../rig/supervise.ts'
import { startProcesses } from '../start-processes.ts'

/** The least part of the work that each of three processes has to do. */
const LEAST = 0.15

/** Three processes of each service share the work, with no leader among them. */
export const scaleOut: Command = {
  summary: 'three A and three B share the work: [--tasks 6000] [--on postgres|cluster|pgbouncer]',
  async run({ arguments: given, say, withRig }) {
    await withRig({ functions: 3, insights: 3 }, async (rig) => {
      await startProcesses(rig)
      const users = await provision(rig, 100, 1_000_000)
      const load = openLoad({ urls: rig.functions.map(({ url }) => url), users, callers: 48 })
      while (load.answered.length < given.number('tasks', 6_000)) await sleep(20)
      await load.stop()
      const watch = await openWatch(rig)
      await waitUntilQuiet(rig, watch).finally(() => watch.close())
      const uneven: string[] = []
      for (const [services, metric] of [
        [rig.functions, 'onward_functions_calls_total'],
        [rig.insights, 'onward_insights_tasks_counted_total'],
      ] as const) {
        const counts = await Promise.all(services.map((service) => read(service, metric)))
        const all = counts.reduce((sum, n) => sum + n, 0)
        say(`${metric}: ${services.map(({ name }, i) => `${name} ${counts[i]}`).join(', ')}; together ${all}`)
        if (all !== load.answered.length || counts.some((n) => n < all * LEAST)) uneven.push(metric)
      }
      if (uneven.length > 0) throw new Error(`not shared, or not all: ${uneven.join(', ')}; ${load.answered.length} calls were answered`)
    })
  },
}

/** The sum of a counter over its labels. */
async function read({ adminUrl }: Supervised, metric: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

import { QUEUE_PREFIX, TASK_QUEUE } from '@onward/contract'
import { openStoredQueues } from '@onward/testbed'
import type { Command } from '../rig/command-line.ts'
import type { Service } from '../rig/processes.ts'
import { assertCounts, countsText } from './counts.ts'
import { openLoad, provision, untilAnswered } from './load.ts'
import { readStore } from './plan.ts'
import { openWatch } from './watch.ts'

const STOP_MS = 10_000
const ROUNDS = 3
/** How many calls are answered between two stops. */
const CALLS_BETWEEN = 400
/** The process does not listen, so the request was not sent. A load balancer would choose another process. */
const NOT_LISTENING = 'ECONNREFUSED'
/** The smallest share of the work that each of three processes must do. */
const MIN_SHARE = 0.15

/** Stops one process after the other under load. */
export const sigterm: Command = {
  summary: 'SIGTERM to each process under load: no call fails, each process exits within 10 s, no job stalls',
  options: { callers: 32, on: 'redis' },
  async run({ say, withRig }, given) {
    await withRig({ on: readStore(given) }, async (rig) => {
      await rig.start()
      const users = await provision(rig, 100, 1_000_000)
      const watch = await openWatch(rig)
      const queues = rig.cluster === undefined ? openStoredQueues({ url: rig.queueUrl, prefix: QUEUE_PREFIX }) : undefined
      let stalled = 0
      queues?.onStalled(TASK_QUEUE, () => stalled++)
      if (queues === undefined) say('LEFT OUT: stalled jobs are not counted in a cluster')
      const load = openLoad(rig, { users, callers: given.number('callers') })
      const slow: string[] = []
      for (const service of Array.from({ length: ROUNDS }, () => [...rig.functions, ...rig.insights]).flat()) {
        await untilAnswered(load, load.answered.length + CALLS_BETWEEN)
        const { code, ms } = await service.stop()
        say(`${service.name} exited with ${code} after ${Math.round(ms)} ms; ${load.answered.length} calls answered`)
        if (code !== 0 || ms > STOP_MS) slow.push(service.name)
        await service.start()
      }
      await load.stop()
      const quietMs = await watch.untilQuiet().finally(() => watch.close())
      await queues?.close()
      await assertCounts(rig, load.answered, say)
      const failed = new Map([...load.failed].filter(([what]) => what !== NOT_LISTENING))
      say(
        `${load.answered.length} calls answered; failed: ${countsText(failed)}; stalled: ${stalled}; quiet after ${Math.round(quietMs)} ms`,
      )
      if (failed.size + slow.length + stalled > 0)
        throw new Error(`does not hold: failed ${countsText(failed)}; slow ${slow}; stalled ${stalled}`)
    })
  },
}

/** Runs three processes of each service, without a leader. */
export const scaleOut: Command = {
  summary: 'three A and three B share the work',
  options: { tasks: 6_000, on: 'redis' },
  async run({ say, withRig }, given) {
    await withRig({ on: readStore(given), functions: 3, insights: 3 }, async (rig) => {
      await rig.start()
      const users = await provision(rig, 100, 1_000_000)
      const load = openLoad(rig, { users, callers: 48 })
      await untilAnswered(load, given.number('tasks'))
      await load.stop()
      const watch = await openWatch(rig)
      await watch.untilQuiet().finally(() => watch.close())
      const uneven: string[] = []
      for (const [services, metric] of [
        [rig.functions, 'onward_functions_calls_total'],
        [rig.insights, 'onward_insights_tasks_counted_total'],
      ] as const) {
        const counts = await Promise.all(services.map((service) => readCounter(service, metric)))
        const all = counts.reduce((sum, n) => sum + n, 0)
        say(`${metric}: ${services.map(({ name }, i) => `${name} ${counts[i]}`).join(', ')}; together ${all}`)
        if (all !== load.answered.length || counts.some((n) => n < all * MIN_SHARE)) uneven.push(metric)
      }
      if (uneven.length > 0) throw new Error(`uneven or incomplete: ${uneven.join(', ')}; ${load.answered.length} calls were answered`)
    })
  },
}

/** Returns the sum of a counter over its labels. */
async function readCounter({ adminUrl }: Service, metric: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

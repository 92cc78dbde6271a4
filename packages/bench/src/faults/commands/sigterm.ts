import { setTimeout as sleep } from 'node:timers/promises'
import { QUEUE_PREFIX, TASK_QUEUE } from '@onward/contract'
import { openStoredQueues } from '@onward/testbed'
import { copyCalls } from '../check/copy-calls.ts'
import { checkCounts } from '../check/counts.ts'
import { waitUntilQuiet } from '../check/quiet.ts'
import { openWatch } from '../check/watch.ts'
import type { Command } from '../command.ts'
import { openLoad } from '../load.ts'
import { provision } from '../provision.ts'
import { startProcesses } from '../start-processes.ts'

const MOST_MS = 10_000
const ROUNDS = 3
/** Nobody listens there any more: a balancer goes to the next, and the request was never sent. */
const AWAY = 'ECONNREFUSED'

/** Each process is told to stop under load, in turn, while the others go on. */
export const sigterm: Command = {
  summary: 'SIGTERM to each process under load: no call fails, each ends in 10 s, no job stalls',
  async run({ arguments: given, say, withRig }) {
    await withRig({}, async (rig) => {
      await startProcesses(rig)
      const users = await provision(rig, 100, 1_000_000)
      const queues = openStoredQueues({ url: rig.queueUrl, prefix: QUEUE_PREFIX })
      let stalled = 0
      queues.onStalled(TASK_QUEUE, () => stalled++)
      const load = openLoad({ urls: rig.functions.map(({ url }) => url), users, callers: given.number('callers', 32) })
      const slow: string[] = []
      for (let round = 0; round < ROUNDS; round++) {
        for (const service of [...rig.functions, ...rig.insights]) {
          await sleep(2_000)
          const { code, ms } = await service.stop()
          say(`${service.name} ended with ${code} after ${Math.round(ms)} ms; ${load.answered.length} calls answered`)
          if (code !== 0 || ms > MOST_MS) slow.push(service.name)
          await service.start()
        }
      }
      await load.stop()
      const watch = await openWatch(rig)
      const quietMs = await waitUntilQuiet(rig, watch).finally(() => watch.close())
      await queues.close()
      await copyCalls(rig.functionsDb, rig.insightsDb, load.answered)
      const failed = [...load.failed].filter(([what]) => what !== AWAY)
      say(
        `${load.answered.length} calls answered 200; failed: ${JSON.stringify(failed)}; jobs stalled: ${stalled}; quiet after ${Math.round(quietMs)} ms`,
      )
      const broken = (await checkCounts(rig.insightsDb)).filter(({ holds }) => !holds)
      if (broken.length > 0 || failed.length > 0 || slow.length > 0 || stalled > 0) {
        throw new Error(`does not hold: ${JSON.stringify({ broken, failed, slow, stalled })}`)
      }
    })
  },
}

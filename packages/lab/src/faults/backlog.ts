import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../rig/command-line.ts'
import { fillOutbox } from '../rig/outbox.ts'
import { countRows } from '../rig/postgres-server.ts'
import { ROWS_IN_QUEUE } from './check.ts'
import { assertCounts } from './counts.ts'
import { provision } from './load.ts'
import { readStore } from './plan.ts'
import { openWatch, peakText } from './watch.ts'

/** More than twice the lease of an outbox row: if expired leases added jobs to the queue, the check would find them. */
const DOWN_MS = 75_000
const STUCK_MS = 120_000

/** Stops area B, puts a day's tasks into the outbox of functions, and starts area B again. */
export const backlog: Command = {
  summary: 'B is down while millions of tasks wait: none is lost, and the queue stays small',
  options: { rows: 5_000_000, on: 'redis' },
  async run({ say, withRig }, given) {
    const tasks = given.number('rows')
    await withRig({ on: readStore(given) }, async (rig) => {
      await rig.start()
      const users = await provision(rig, 1_000, 1_000_000)
      await Promise.all(rig.insights.map((service) => service.stop()))
      await fillOutbox(
        rig.functionsDb,
        users.map(({ id }) => id),
        tasks,
      )
      say(`${tasks} tasks in the outbox; B is down`)
      const watch = await openWatch(rig)
      try {
        await sleep(DOWN_MS)
        const most = ROWS_IN_QUEUE * rig.functions.length
        say(`after ${DOWN_MS / 1_000} s: the queue held at most ${peakText(watch.peak)}`)
        if (watch.peak.jobs > most) throw new Error(`the queue holds ${watch.peak.jobs} jobs, not at most ${most}`)
        const from = performance.now()
        await Promise.all(rig.insights.map((service) => service.start()))
        await untilEmpty(rig.functionsDb)
        const seconds = (performance.now() - from) / 1_000
        say(`B counted all in ${seconds.toFixed(0)} s, including its start: ${Math.round(tasks / seconds)} tasks/s`)
        say(`queue at most: ${peakText(watch.peak)}`)
      } finally {
        await watch.close()
      }
      await assertCounts(rig, [], say)
    })
  },
}

async function untilEmpty(functionsDb: string): Promise<void> {
  let [seen, at] = [-1, 0]
  for (;;) {
    const rows = await countRows(functionsDb, 'outbox')
    if (rows === 0) return
    if (rows !== seen) [seen, at] = [rows, performance.now()]
    else if (performance.now() - at > STUCK_MS) throw new Error(`${rows} outbox rows have not changed for ${STUCK_MS / 1_000} s`)
    await sleep(200)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { askPostgres } from '../ask-postgres.ts'
import { copyCalls } from '../check/copy-calls.ts'
import { checkCounts } from '../check/counts.ts'
import { mostInWords, openWatch } from '../check/watch.ts'
import type { Command } from '../command.ts'
import { fillOutbox } from '../fill-outbox.ts'
import { provision } from '../provision.ts'
import { startProcesses } from '../start-processes.ts'

/** Longer than the lease of an outbox row, twice over: what waits in the queue must not grow with time. */
const DOWN_MS = 75_000
const WINDOW = 200

/** Area B is away while a day's tasks pile up in A's outbox; then it comes back. */
export const backlog: Command = {
  summary: 'B away while millions of tasks wait: [--rows 5000000]',
  async run({ arguments: given, say, withRig }) {
    const tasks = given.number('rows', 5_000_000)
    await withRig({}, async (rig) => {
      await startProcesses(rig)
      const users = await provision(rig, 1_000, 1_000_000)
      await Promise.all(rig.insights.map((service) => service.stop()))
      const filled = performance.now()
      await fillOutbox(rig.functionsDb, users, tasks)
      say(`${tasks} tasks put into the outbox in ${((performance.now() - filled) / 1_000).toFixed(0)} s; B is down`)
      const watch = await openWatch(rig)
      try {
        await sleep(DOWN_MS)
        const most = WINDOW * rig.functions.length
        say(`after ${DOWN_MS / 1_000} s: the queue held at most ${mostInWords(watch.most)}`)
        if (watch.most.jobs > most) throw new Error(`the queue holds ${watch.most.jobs} jobs, not at most ${most}`)
        const from = performance.now()
        await Promise.all(rig.insights.map((service) => service.start()))
        await drained(rig.functionsDb)
        const seconds = (performance.now() - from) / 1_000
        say(`B counted all in ${seconds.toFixed(0)} s, its start included: ${Math.round(tasks / seconds)} tasks/s`)
        say(`queue at most: ${mostInWords(watch.most)}`)
      } finally {
        await watch.close()
      }
      await copyCalls(rig.functionsDb, rig.insightsDb, [])
      for (const { what, found, holds } of await checkCounts(rig.insightsDb)) {
        say(`${holds ? 'ok  ' : 'FAIL'} ${what}: ${found}`)
        if (!holds) throw new Error(`does not hold: ${what}`)
      }
    })
  },
}

async function drained(functionsDb: string): Promise<void> {
  let [seen, at] = [-1, 0]
  for (;;) {
    const n = (await askPostgres<{ n: number }>(functionsDb, 'select count(*)::int as n from outbox'))[0]?.n ?? 0
    if (n === 0) return
    if (n !== seen) [seen, at] = [n, performance.now()]
    else if (performance.now() - at > 120_000) throw new Error(`${n} outbox rows stand still`)
    await sleep(200)
  }
}

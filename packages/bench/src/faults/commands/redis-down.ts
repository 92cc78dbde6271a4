import { setTimeout as sleep } from 'node:timers/promises'
import { askPostgres } from '../ask-postgres.ts'
import { copyCalls } from '../check/copy-calls.ts'
import { checkCounts } from '../check/counts.ts'
import { waitUntilQuiet } from '../check/quiet.ts'
import { openWatch } from '../check/watch.ts'
import type { Command } from '../command.ts'
import { type Load, openLoad } from '../load.ts'
import { percentile } from '../percentile.ts'
import { provision } from '../provision.ts'
import type { Rig } from '../rig/open-rig.ts'
import type { RedisServer } from '../rig/redis-server.ts'
import { startProcesses } from '../start-processes.ts'

const LEAST_PER_SECOND = 5_000
const WARM_MS = 15_000
const WINDOW_MS = 10_000

/** Redis is away for minutes under a steady load: callers notice nothing, and what has piled up is counted fast once it is back. */
export const redisDown: Command = {
  summary: 'Redis stopped under a steady load: [--minutes 10] [--rate 100 calls/s]',
  async run({ arguments: given, say, withRig }) {
    const [minutes, rate] = [given.number('minutes', 10), given.number('rate', 100)]
    await withRig({}, async (rig) => {
      const { redis } = rig
      if (redis === undefined) return say('LEFT OUT: redis-down: no Redis can be had here')
      await startProcesses(rig)
      const users = await provision(rig, 100, 1_000_000)
      const load = openLoad({ urls: rig.functions.map(({ url }) => url), users, callers: 64, rate })
      await sleep(WARM_MS)
      const before = await measure(load, minutes * 30_000)
      await redis.crash()
      const during = await measure(load, minutes * 60_000)
      await load.stop()
      say(`with Redis    ${before.calls} calls, p50 ${before.p50} ms, p99 ${before.p99} ms`)
      say(`without Redis ${during.calls} calls, p50 ${during.p50} ms, p99 ${during.p99} ms (${(during.p99 / before.p99).toFixed(2)}×)`)
      const perSecond = await drain(rig, redis, load, say)
      if (load.failed.size > 0) throw new Error(`calls failed: ${JSON.stringify([...load.failed])}`)
      if (during.p99 > before.p99 * 1.1) throw new Error('p99 without Redis is more than 10 % above that with it')
      if (perSecond < LEAST_PER_SECOND) throw new Error(`the backlog drained at ${perSecond} tasks/s, not ${LEAST_PER_SECOND}`)
    })
  },
}

/** The medians over windows of ten seconds: one hiccup of the machine does not decide. */
async function measure(load: Load, ms: number): Promise<{ calls: number; p50: number; p99: number }> {
  const windows: number[][] = []
  for (const until = performance.now() + ms; performance.now() < until; ) {
    load.latencies = []
    await sleep(Math.min(WINDOW_MS, ms))
    windows.push(load.latencies)
  }
  const middle = (percent: number) => {
    const all = windows.map((each) => percentile(each, percent))
    return Math.round(percentile(all, 50) * 10) / 10
  }
  return { calls: windows.flat().length, p50: middle(50), p99: middle(99) }
}

/** Starts Redis again, waits until all is counted, and gives tasks per second. */
async function drain(rig: Rig, redis: RedisServer, load: Load, say: (line: string) => void): Promise<number> {
  const [waiting] = await askPostgres<{ rows: number; tasks: number }>(
    rig.functionsDb,
    'select count(*)::int as rows, coalesce(sum(jsonb_array_length(events)), 0)::int as tasks from outbox',
  )
  const { rows = 0, tasks = 0 } = waiting ?? {}
  // Not the rows: some of their tasks may have been counted before Redis went away.
  const count = async (url: string, text: string) =>
    (await askPostgres<{ n: number }>(url, `select count(*)::int as n from ${text}`))[0]?.n ?? 0
  const all = await count(rig.functionsDb, "call_log where outcome <> 'unreachable'")
  await redis.start('kept')
  const from = performance.now()
  // The last ones may wait for a lease or for the lock of a job: told apart, and part of the whole.
  let mostSeconds: number | undefined
  for (let n = 0; n < all; n = await count(rig.insightsDb, 'task_event')) {
    if (n >= all - tasks / 10) mostSeconds ??= (performance.now() - from) / 1_000
    if (performance.now() - from > 600_000) throw new Error('the backlog did not drain in ten minutes')
    await sleep(50)
  }
  const seconds = (performance.now() - from) / 1_000
  say(`nine tenths   in ${(mostSeconds ?? seconds).toFixed(1)} s`)
  say(`backlog       ${tasks} tasks in ${rows} rows, counted in ${seconds.toFixed(1)} s: ${Math.round(tasks / seconds)} tasks/s`)
  const watch = await openWatch(rig)
  try {
    await waitUntilQuiet(rig, watch)
  } finally {
    await watch.close()
  }
  await copyCalls(rig.functionsDb, rig.insightsDb, load.answered)
  for (const { what, found, holds } of await checkCounts(rig.insightsDb)) if (!holds) throw new Error(`does not hold: ${what}: ${found}`)
  return Math.round(tasks / seconds)
}

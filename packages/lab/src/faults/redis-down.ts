import { setTimeout as sleep } from 'node:timers/promises'
import { median, quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import type { Rig } from '../rig/open-rig.ts'
import { countRows, queryPostgres } from '../rig/postgres-server.ts'
import { assertCounts } from './counts.ts'
import { type Load, openLoad, provision } from './load.ts'
import { openWatch } from './watch.ts'

const MIN_PER_SECOND = 5_000
const WARM_MS = 15_000
const SPAN_MS = 10_000
const DRAIN_MS = 600_000

/** Stops Redis for minutes under a steady load: no call may fail or slow down, and the backlog must be counted fast afterwards. */
export const redisDown: Command = {
  summary: 'Redis is stopped under a steady load (`--rate` in calls/s): no call fails, and the backlog drains fast',
  options: { minutes: 10, rate: 100 },
  async run({ say, withRig }, given) {
    const [minutes, rate] = [given.number('minutes'), given.number('rate')]
    await withRig({}, async (rig) => {
      const { redis } = rig
      if (redis === undefined) return say('LEFT OUT: redis-down: no Redis is available')
      await rig.start()
      const users = await provision(rig, 100, 1_000_000)
      const load = openLoad(rig, { users, callers: 64, rate })
      await sleep(WARM_MS)
      const before = await measure(load, minutes * 30_000)
      await redis.crash()
      const during = await measure(load, minutes * 60_000)
      await load.stop()
      const ratio = during.p99 / before.p99
      say(`with Redis    ${before.calls} calls, p50 ${before.p50.toFixed(1)} ms, p99 ${before.p99.toFixed(1)} ms`)
      say(`without Redis ${during.calls} calls, p50 ${during.p50.toFixed(1)} ms, p99 ${during.p99.toFixed(1)} ms (${ratio.toFixed(2)}×)`)
      const perSecond = await drain(rig, () => redis.start('kept'), say)
      await untilQuiet(rig)
      await assertCounts(rig, load.answered, say)
      if (load.failed.size > 0) throw new Error(`calls failed: ${JSON.stringify([...load.failed])}`)
      if (ratio > 1.1) throw new Error('p99 without Redis is more than 10 % above p99 with it')
      if (perSecond < MIN_PER_SECOND) throw new Error(`the backlog drained at ${perSecond} tasks/s, not ${MIN_PER_SECOND}`)
    })
  },
}

/** Returns medians over spans of ten seconds, so that one slow moment of the machine does not decide. */
async function measure(load: Load, ms: number): Promise<{ calls: number; p50: number; p99: number }> {
  const spans: number[][] = []
  for (const until = performance.now() + ms; performance.now() < until; ) {
    load.latencies = []
    await sleep(Math.min(SPAN_MS, ms))
    spans.push(load.latencies)
  }
  const middle = (share: number) => median(spans.map((each) => quantile(each, share)))
  return { calls: spans.flat().length, p50: middle(0.5), p99: middle(0.99) }
}

/** Starts Redis again and waits until all tasks are counted. Returns tasks per second, including the time to reconnect. */
async function drain({ functionsDb, insightsDb }: Rig, startRedis: () => Promise<void>, say: (line: string) => void): Promise<number> {
  const [waiting] = await queryPostgres<{ rows: number; tasks: number }>(
    functionsDb,
    'select count(*)::int as rows, coalesce(sum(jsonb_array_length(events)), 0)::int as tasks from outbox',
  )
  const { rows = 0, tasks = 0 } = waiting ?? {}
  // Counted against the calls log: some tasks of the outbox may have been counted before Redis stopped.
  const all = await countRows(functionsDb, "call_log where outcome <> 'unreachable'")
  await startRedis()
  const from = performance.now()
  while ((await countRows(insightsDb, 'task_event')) < all) {
    if (performance.now() - from > DRAIN_MS) throw new Error(`the backlog did not drain within ${DRAIN_MS / 60_000} minutes`)
    await sleep(50)
  }
  const seconds = (performance.now() - from) / 1_000
  say(`backlog       ${tasks} tasks in ${rows} rows, counted in ${seconds.toFixed(1)} s: ${Math.round(tasks / seconds)} tasks/s`)
  return Math.round(tasks / seconds)
}

async function untilQuiet(rig: Rig): Promise<void> {
  const watch = await openWatch(rig)
  await watch.untilQuiet().finally(() => watch.close())
}

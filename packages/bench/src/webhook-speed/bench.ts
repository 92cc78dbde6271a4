import { setTimeout as sleep } from 'node:timers/promises'
import { TIMING } from '@onward/insights'
import { sql } from 'kysely'
import type { Bench } from '../bench.ts'
import { type Forked, forkChild } from '../webhooks/fork-child.ts'
import { type Insights, openRig, type Rig } from '../webhooks/open-rig.ts'
import { subscribe } from '../webhooks/subscribe.ts'

const BODY = JSON.stringify({
  user_id: 'joe@example.com',
  current_limit: 10_000,
  limit_period: '30',
  tasks_consumed: 8_000,
  tasks_remaining: 2_000,
  tasks_consumed_percent: 80,
  tasks_remaining_percent: 20,
  limit_reset_after: 12,
})
/** As many bytes as ours are. */
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Onward',
  'subscription-id': '0190a000-0000-7000-8000-000000000000',
  'event-name': 'user_tasks_limit_80',
  'webhook-id': '0190a000-0000-7000-8000-000000000000',
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
}
/** A sweep finds what is due at once: nothing else tells the service of rows that the benchmark has made. */
const EAGER = { ...TIMING, sweepEveryMs: 1_000, overdueMs: 0 }
const MOST_MS = 120_000

type Round = { readonly perSecond: number; readonly cpuUs: number }

export const bench: Bench = {
  summary: 'webhooks per second and CPU of each, beside a bare undici pool that posts the same bytes',
  options: { deliveries: 10_000, rounds: 5, endpoints: 100 },
  async run(lab, { deliveries = 0, rounds = 0, endpoints = 0 }) {
    const rig = await openRig({ ports: 1, failing: 0, seed: 1, timing: EAGER })
    const url = `${rig.receivers.ready[0]}/ok`
    const bare = await forkChild<string>('packages/bench/src/bare-poster/main.ts', { url, headers: HEADERS, body: BODY })
    try {
      const insights = await rig.startInsights()
      await subscribe(
        insights,
        Array.from({ length: endpoints }, (_, n) => `${url}/${n}`),
      )
      const [theirs, ours]: [Round[], Round[]] = [[], []]
      for (let round = 0; round <= rounds; round++) {
        theirs.push(await postBare(bare, deliveries))
        ours.push(await deliverAll(rig, insights, deliveries, round))
      }
      // The first round warms up.
      const [base, real] = [theirs.slice(1), ours.slice(1)]
      say(lab.say, 'bare undici pool', base)
      say(lab.say, 'webhooks', real)
      const ratio = median(real.map((each) => each.perSecond)) / median(base.map((each) => each.perSecond))
      lab.say(
        `ratio ${ratio.toFixed(2)} of the rate, CPU of the process ${(median(real.map((each) => each.cpuUs)) / median(base.map((each) => each.cpuUs))).toFixed(2)}x`,
      )
    } finally {
      await bare.kill()
      await rig.close()
    }
  },
}

async function postBare(bare: Forked<string>, count: number): Promise<Round> {
  const { ms, cpuUs } = await bare.ask<{ ms: number; cpuUs: number }>(String(count))
  return { perSecond: (1_000 * count) / ms, cpuUs: cpuUs / count }
}

/** Makes deliveries, with ids in the order of time as ours are, for all subscriptions in turn, and waits until all have arrived. The time counts from the first attempt. */
async function deliverAll(rig: Rig, insights: Insights, count: number, round: number): Promise<Round> {
  const before = await insights.ask<NodeJS.CpuUsage>('cpu')
  await sql`
    insert into delivery (id, subscription_id, app_key, user_id, period_start, level, arm_seq, event_name, body)
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || substr(md5(random()::text), 1, 20))::uuid, s.ids[1 + n % cardinality(s.ids)], 'app-0', 'user-' || n, 'epoch', 80, ${round}, 'user_tasks_limit_80', ${BODY}
    from generate_series(1, ${count}::int) n, (select array_agg(id) as ids from subscription) s`.execute(rig.db)
  const deadline = performance.now() + MOST_MS
  for (;;) {
    await sleep(100)
    const { rows } = await sql`select from delivery where delivered_at is null and failed_at is null limit 1`.execute(rig.db)
    if (rows.length === 0) break
    if (performance.now() > deadline) throw new Error(`not all deliveries arrived within ${MOST_MS} ms`)
  }
  const { user, system } = await insights.ask<NodeJS.CpuUsage>('cpu')
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from max(d.delivered_at) - min(a.started_at))::float8 as seconds
    from delivery d join delivery_attempt a on a.delivery_id = d.id where d.arm_seq = ${round}`.execute(rig.db)
  return { perSecond: count / (rows[0]?.seconds ?? Number.NaN), cpuUs: (user + system - before.user - before.system) / count }
}

function say(out: (line: string) => void, name: string, rounds: readonly Round[]): void {
  const spread = (list: number[]) => `${Math.round(median(list))} (${Math.round(Math.min(...list))}–${Math.round(Math.max(...list))})`
  out(
    `${name.padEnd(18)} ${spread(rounds.map((each) => each.perSecond))} per second, ${spread(rounds.map((each) => each.cpuUs))} µs of CPU each`,
  )
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN
}

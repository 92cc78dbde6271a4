import { setTimeout as sleep } from 'node:timers/promises'
import type { BareRequest } from '../child/bare-poster.ts'
import type { Command } from '../rig/command-line.ts'
import { spread } from '../rig/goals.ts'
import type { Rig } from '../rig/open-rig.ts'
import { countRows, queryPostgres } from '../rig/postgres-server.ts'
import type { Helper } from '../rig/processes.ts'
import { subscribe } from './deliveries.ts'

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
/** As many bytes as the headers of a webhook. */
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Onward',
  'subscription-id': '0190a000-0000-7000-8000-000000000000',
  'event-name': 'user_tasks_limit_80',
  'webhook-id': '0190a000-0000-7000-8000-000000000000',
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
}
/** The benchmark inserts deliveries without queue jobs. So the sweep must look for them often, and take them as soon as they are due. */
const EAGER_SWEEP = { WEBHOOK_SWEEP_EVERY_MS: '1000', WEBHOOK_OVERDUE_MS: '0' }
const MAX_MS = 120_000

type Round = { readonly perSecond: number; readonly cpuUs: number }

export const webhookSpeed: Command = {
  summary: 'webhooks per second and their CPU, beside a bare undici pool that posts the same bytes',
  options: { deliveries: 10_000, rounds: 5, endpoints: 100 },
  async run({ say, withRig, report }, given) {
    const [deliveries, rounds] = [given.number('deliveries'), given.number('rounds')]
    await withRig({ functions: 0, insights: 1, links: false, measured: true, insightsEnv: EAGER_SWEEP }, async (rig) => {
      const url = `${rig.thirdParty.ready[0]}/ok`
      const request: BareRequest = { url, headers: { ...HEADERS }, body: BODY }
      const poster = await rig.startHelper<string>('bare-poster', request)
      await rig.start()
      const urls = Array.from({ length: given.number('endpoints') }, (_, n) => `${url}/${n}`)
      await subscribe(rig, urls)
      const [bare, ours]: [Round[], Round[]] = [[], []]
      for (let round = 0; round <= rounds; round++) {
        bare.push(await postBare(poster, deliveries))
        ours.push(await deliver(rig, deliveries, round))
      }
      // The first round warms up.
      const [base, real] = [bare.slice(1), ours.slice(1)]
      say(`bare undici pool   ${textOf(base)}`)
      say(`webhooks           ${textOf(real)}`)
      const ratios = (key: keyof Round) => real.map((each, i) => each[key] / (base[i]?.[key] ?? Number.NaN))
      say(`CPU divided by that of the pool: ${spread(ratios('cpuUs'))}`)
      report([
        { name: 'P7', what: 'webhooks per second, divided by a plain undici pool', values: ratios('perSecond'), unit: '', atLeast: 0.5 },
      ])
    })
  },
}

async function postBare(poster: Helper<string>, count: number): Promise<Round> {
  const { ms, cpuMs } = await poster.ask<{ ms: number; cpuMs: number }>(String(count))
  return { perSecond: (1_000 * count) / ms, cpuUs: (1_000 * cpuMs) / count }
}

/** Inserts deliveries for all subscriptions in turn, with time-ordered ids as ours are, and waits until all have arrived. */
async function deliver({ insights, insightsDb }: Rig, count: number, round: number): Promise<Round> {
  const [service] = insights
  const measures = await service?.measure(async () => {
    await queryPostgres(
      insightsDb,
      `insert into delivery (id, subscription_id, app_key, user_id, period_start, level, times_lowered, kind, payload)
      select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || substr(md5(random()::text), 1, 20))::uuid,
        s.ids[1 + n % cardinality(s.ids)], 'app-0', 'user-' || n, 'epoch', 80, $2, 'user_tasks_limit_80', $3
      from generate_series(1, $1::int) n, (select array_agg(id) as ids from subscription) s`,
      [count, round, BODY],
    )
    const deadline = performance.now() + MAX_MS
    while ((await countRows(insightsDb, 'delivery where delivered_at is null and failed_at is null')) > 0) {
      if (performance.now() > deadline) throw new Error(`not all deliveries arrived within ${MAX_MS} ms`)
      await sleep(100)
    }
  })
  const [row] = await queryPostgres<{ seconds: number }>(
    insightsDb,
    `select extract(epoch from max(d.delivered_at) - min(a.started_at))::float8 as seconds
    from delivery d join delivery_attempt a on a.delivery_id = d.id where d.times_lowered = $1`,
    [round],
  )
  return { perSecond: count / (row?.seconds ?? Number.NaN), cpuUs: (1_000 * (measures?.cpuMs ?? Number.NaN)) / count }
}

function textOf(rounds: readonly Round[]): string {
  const of = (key: keyof Round) => spread(rounds.map((each) => each[key]))
  return `${of('perSecond')} per second, ${of('cpuUs')} µs of CPU each`
}

import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BareRequest } from '../child/bare-poster.ts'
import type { Command } from '../rig/command-line.ts'
import { cpuMs, withOwnCpus } from '../rig/cpu.ts'
import { subscribe } from '../rig/deliveries.ts'
import { spread } from '../rig/goals.ts'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import type { Helper } from '../rig/processes.ts'
import { pidOf } from './call-variants.ts'
import { monotonicUs, printProfile, type Spans } from './profile.ts'

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

/** CPU times are in µs of each webhook. */
type Round = { readonly perSecond: number; readonly cpu: { readonly process: number; readonly postgres: number } }

/** The rounds of the pool and of insights, without warm-up rounds. */
type Rounds = { readonly bare: readonly Round[]; readonly ours: readonly Round[]; readonly spans: Spans['spans'] }

type Plan = { readonly deliveries: number; readonly rounds: number; readonly endpoints: number }

export const WEBHOOK_RIG = { functions: 0, insights: 1, links: false, built: true, realDisks: true, insightsEnv: EAGER_SWEEP } as const

export const webhookSpeed: Command = {
  summary: 'webhooks per second and their CPU, beside a bare undici pool that posts the same bytes',
  options: { deliveries: 20_000, rounds: 5, endpoints: 100, profile: '' },
  async run({ say, withRig, report }, given) {
    const plan = { deliveries: given.number('deliveries'), rounds: given.number('rounds'), endpoints: given.number('endpoints') }
    const folder = given.text('profile') === '' ? undefined : resolve(given.text('profile'))
    const insightsFlags = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
    await withOwnCpus(1, (prepare) =>
      withRig({ ...WEBHOOK_RIG, insightsFlags }, async (rig) => {
        await rig.start()
        const { bare, ours, spans } = await measureWebhooks(rig, plan, prepare)
        say(`bare undici pool   ${textOf(bare)}`)
        say(`webhooks           ${textOf(ours)}`)
        const ratios = (value: (round: Round) => number) => ours.map((each, i) => value(each) / value(bare[i] as Round))
        say(`CPU divided by the CPU of the pool: ${spread(ratios(({ cpu }) => cpu.process))}`)
        const perSecond = ratios((each) => each.perSecond)
        report([{ name: 'P7', what: 'webhooks per second, divided by a plain undici pool', values: perSecond, unit: '', atLeast: 0.5 }])
        if (folder === undefined) return
        const pid = rig.insights[0]?.pid()
        await rig.insights[0]?.stop()
        await printProfile(say, folder, pid, { spans, calls: plan.deliveries * spans.length })
      }),
    )
  },
}

/** The rig must run. `prepare` gets the id of each process to measure. The first round warms up, and is not returned. */
export async function measureWebhooks(rig: Rig, plan: Plan, prepare: (pid: number) => void): Promise<Rounds> {
  const url = `${rig.thirdParty.ready[0]}/ok`
  const poster = await rig.startHelper<string>('bare-poster', { url, headers: { ...HEADERS }, body: BODY } satisfies BareRequest)
  await subscribe(
    rig,
    Array.from({ length: plan.endpoints }, (_, n) => `${url}/${n}`),
  )
  for (const pid of [poster.pid, ...rig.insights.map(pidOf)]) prepare(pid)
  const [bare, ours]: [Round[], Round[]] = [[], []]
  const spans: [number, number][] = []
  for (let round = 0; round <= plan.rounds; round++) {
    bare.push(await postBare(poster, plan.deliveries))
    const from = monotonicUs()
    ours.push(await deliver(rig, plan.deliveries, round))
    spans.push([from, monotonicUs()])
  }
  return { bare: bare.slice(1), ours: ours.slice(1), spans: spans.slice(1) }
}

async function postBare(poster: Helper<string>, count: number): Promise<Round> {
  const { ms, cpuMs } = await poster.ask<{ ms: number; cpuMs: number }>(String(count))
  return { perSecond: (1_000 * count) / ms, cpu: { process: (1_000 * cpuMs) / count, postgres: 0 } }
}

/**
 * Inserts deliveries for all subscriptions in turn, with time-ordered ids as ours are, and waits until all have arrived. Insights is stopped
 * while they are inserted.
 */
async function deliver(rig: Rig, count: number, round: number): Promise<Round> {
  const { insights, insightsDb, insightsPostgres } = rig
  const usOf = async (pids: readonly number[]) => (1_000 * (await cpuMs(pids))) / count
  const measure = async () => ({ process: await usOf(insights.map(pidOf)), postgres: await usOf([insightsPostgres.pid()]) })
  for (const service of insights) service.signal('SIGSTOP')
  await queryPostgres(
    insightsDb,
    `insert into delivery (id, subscription_id, app_key, user_id, period_start, level, times_lowered, kind, payload)
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || substr(md5(random()::text), 1, 20))::uuid,
      s.ids[1 + n % cardinality(s.ids)], 'app-0', 'user-' || n, 'epoch', 80, $2, 'user_tasks_limit_80', $3
    from generate_series(1, $1::int) n, (select array_agg(id) as ids from subscription) s`,
    [count, round, BODY],
  )
  const before = await measure()
  for (const service of insights) service.signal('SIGCONT')
  const deadline = performance.now() + MAX_MS
  while (await isPending(insightsDb)) {
    if (performance.now() > deadline) throw new Error(`not all deliveries arrived within ${MAX_MS} ms`)
    await sleep(100)
  }
  const after = await measure()
  const [row] = await queryPostgres<{ seconds: number }>(
    insightsDb,
    `select extract(epoch from max(d.delivered_at) - min(a.started_at))::float8 as seconds
    from delivery d join delivery_attempt a on a.delivery_id = d.id where d.times_lowered = $1`,
    [round],
  )
  const cpu = { process: after.process - before.process, postgres: after.postgres - before.postgres }
  return { perSecond: count / (row?.seconds ?? Number.NaN), cpu }
}

async function isPending(database: string): Promise<boolean> {
  const [row] = await queryPostgres<{ pending: boolean }>(
    database,
    'select exists (select from delivery where delivered_at is null and failed_at is null) as pending',
  )
  return row?.pending === true
}

function textOf(rounds: readonly Round[]): string {
  const of = (value: (round: Round) => number) => spread(rounds.map(value))
  return `${of(({ perSecond }) => perSecond)} per second; CPU of each: ${of(({ cpu }) => cpu.process)} µs, Postgres ${of(({ cpu }) => cpu.postgres)} µs`
}

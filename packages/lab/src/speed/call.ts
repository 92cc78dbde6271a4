import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openScriptedServer, sendJson } from '@onward/testbed'
import { median, quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { cpuMs, withOwnCpus } from '../rig/cpu.ts'
import { type Goal, spread } from '../rig/goals.ts'
import type { Rig } from '../rig/open-rig.ts'
import {
  HELPING,
  type Helping,
  type Onward,
  openBareProxy,
  openOnward,
  openRuled,
  openWrittenFirst,
  type Variant,
} from './call-variants.ts'
import { type Load, type Loaded, putLoad } from './http-load.ts'
import { monotonicUs, printProfile, type Spans } from './profile.ts'

/** What a variant did under full load. `cpu`: CPU time of a call, in µs. */
export type Full = Loaded & {
  readonly cpu: { readonly process: number; readonly all: number } & Readonly<Partial<Record<Helping, number>>>
}

/** `p50` and `p99` are percentiles of `times`; `alone` is the p50 with one caller. In ms. */
type Round = Omit<Full, 'times'> & { readonly p50: number; readonly p99: number; readonly alone: number }

export type Calls = {
  /** The rounds of each variant, by its name. */
  readonly rounds: ReadonlyMap<string, readonly Round[]>
  /** p99 of Onward at half of the rate that it reached in the round. */
  readonly halfLoad: readonly number[]
  /** p99 of `node:http` → undici at the same rate. Most of it is caused by the machine. */
  readonly bareHalfLoad: readonly number[]
  /** A write of 8 kB with its flush to the disk of Postgres. */
  readonly flush: readonly number[]
  /** When Onward was under full load. */
  readonly fully: Spans
}

export type Plan = { readonly rounds: number; readonly seconds: number; readonly connections: number }

const [UNDICI, FASTIFY, EXPRESS, FIRST, ONWARD, RULED] = [
  'node:http → undici',
  '@fastify/http-proxy',
  'Express + axios',
  'what one writes first',
  'Onward',
  'Onward with 20 rules',
]
const FLUSHES = 50

export const call: Command = {
  summary: 'a call beside four baselines: calls per second, latency, and CPU time of each process',
  options: { rounds: 5, seconds: 6, connections: 64, users: 1_000, profile: '', traces: '' },
  async run({ say, withRig, report }, given) {
    const plan = { rounds: given.number('rounds'), seconds: given.number('seconds'), connections: given.number('connections') }
    const folder = given.text('profile') === '' ? undefined : resolve(given.text('profile'))
    const functionsFlags = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
    const receiver = await openScriptedServer()
    receiver.respond((_received, response) => {
      receiver.received.length = 0
      sendJson(response, 200, {})
    })
    const share = given.text('traces')
    const env: Record<string, string> = share === '' ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: share }
    const processes = { functions: 1, insights: 1, functionsEnv: env, insightsEnv: env, functionsFlags }
    await withOwnCpus(1, (prepare) =>
      withRig({ links: false, built: true, realDisks: true, ...processes }, async (rig) => {
        if (rig.redis === undefined) throw new Error('bench call needs Redis')
        const calls = await measureCalls(rig, await openOnward(rig, given.number('users')), plan, prepare)
        for (const line of callTable(calls)) say(line)
        report(callGoals(calls))
        if (folder === undefined) return
        const pid = rig.functions[0]?.pid()
        await rig.functions[0]?.stop()
        await printProfile(say, folder, pid, calls.fully)
      }),
    ).finally(receiver.close)
  },
}

/** Measures Onward and the baselines in turn, in each round. `prepare` gets the id of each process to measure. */
export async function measureCalls(rig: Rig, onward: Onward, plan: Plan, prepare: (pid: number) => void): Promise<Calls> {
  const bare = await openBareProxy(rig, 'undici', UNDICI)
  const variants: Variant[] = [
    bare,
    await openBareProxy(rig, 'fastify', FASTIFY),
    await openBareProxy(rig, 'express', EXPRESS),
    ...(rig.redis === undefined ? [] : [await openWrittenFirst(rig, rig.redis, onward.users)]),
    onward,
    await openRuled(rig, onward),
  ]
  for (const { pids } of variants) pids.process.forEach(prepare)
  for (const variant of variants) await warmUp(variant, plan)
  const rounds = new Map<string, Round[]>()
  const [halfLoad, bareHalfLoad, flush]: [number[], number[], number[]] = [[], [], []]
  const spans: [number, number][] = []
  let fullCalls = 0
  for (let round = 0; round < plan.rounds; round++) {
    flush.push(measureFlush(rig.postgres.folder))
    // Alternating, so that no variant always has the warmer machine.
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      const from = monotonicUs()
      const full = await loadFully(variant, plan)
      if (variant.name === ONWARD) {
        spans.push([from, monotonicUs()])
        fullCalls += full.times.length
        const halfPlan = { ...plan, seconds: plan.seconds / 2, rate: full.perSecond / 2 }
        const half = await putLoad(variant.urls, variant.requests, halfPlan)
        halfLoad.push(quantile(half.times, 0.99))
        await variant.settle()
        const bareHalf = await putLoad(bare.urls, bare.requests, halfPlan)
        bareHalfLoad.push(quantile(bareHalf.times, 0.99))
      }
      const alone = await putLoad(variant.urls, variant.requests, { connections: 1, seconds: plan.seconds / 3 })
      await variant.settle()
      const { times, ...rest } = full
      const measured = { ...rest, p50: median(times), p99: quantile(times, 0.99), alone: median(alone.times) }
      rounds.set(variant.name, [...(rounds.get(variant.name) ?? []), measured])
    }
  }
  return { rounds, halfLoad, bareHalfLoad, flush, fully: { spans, calls: fullCalls } }
}

/** Loads a variant before the first round, for twice as long as a round. V8 has optimized the code of a call after about 30,000 calls. */
async function warmUp(variant: Variant, plan: Plan): Promise<void> {
  await loadFully(variant, { ...plan, seconds: 2 * plan.seconds })
}

/** Measures a variant with all connections. The CPU time includes the work that is done after the responses, such as counting. */
export async function loadFully({ urls, requests, pids, settle }: Variant, plan: Load): Promise<Full> {
  const groups = Object.entries(pids)
  const before = await Promise.all(groups.map(([, ids]) => cpuMs(ids)))
  const loaded = await putLoad(urls, requests, plan)
  await settle()
  const after = await Promise.all(groups.map(([, ids]) => cpuMs(ids)))
  const us = groups.map((_group, i) => (1_000 * ((after[i] ?? 0) - (before[i] ?? 0))) / loaded.times.length)
  const cpu = Object.fromEntries(groups.map(([name], i) => [name, us[i] ?? 0]))
  return { ...loaded, cpu: { process: cpu.process ?? 0, ...cpu, all: us.reduce((sum, each) => sum + each, 0) } }
}

function measureFlush(folder: string): number {
  const [file, page] = [join(folder, 'flush'), Buffer.alloc(8_192, 1)]
  const fd = openSync(file, 'w')
  const times = Array.from({ length: FLUSHES }, () => {
    const from = performance.now()
    writeSync(fd, page, 0, page.length, 0)
    fdatasyncSync(fd)
    return performance.now() - from
  })
  closeSync(fd)
  rmSync(file)
  return median(times)
}

/** Returns the lines of a Markdown table. */
function callTable({ rounds }: Calls): string[] {
  const lines = [...rounds].map(([name, of]) => {
    const column = (value: (round: Round) => number) => spread(of.map(value))
    const helping = HELPING.map((group) => (of[0]?.cpu[group] === undefined ? '–' : column(({ cpu }) => cpu[group] ?? 0)))
    const latency = [column(({ p50 }) => p50), column(({ p99 }) => p99), column(({ alone }) => alone)]
    const cells = [
      column(({ perSecond }) => perSecond),
      ...latency,
      column(({ cpu }) => cpu.process),
      ...helping,
      column(({ cpu }) => cpu.all),
    ]
    return `| ${[name, ...cells].join(' | ')} |`
  })
  const head = [
    'Median (min–max)',
    'Calls/s',
    'p50, ms',
    'p99, ms',
    'p50 of one caller, ms',
    'CPU of its process, µs a call',
    ...HELPING,
    'All',
  ]
  return [`| ${head.join(' | ')} |`, `|---|${'--:|'.repeat(head.length - 1)}`, ...lines]
}

export function callGoals({ rounds, halfLoad, bareHalfLoad, flush }: Calls): Goal[] {
  const of = (name: string) => rounds.get(name) ?? []
  const compare = (name: string, value: (ours: Round, base: Round) => number, own = ONWARD) =>
    of(own).flatMap((ours, i) =>
      of(name)
        .slice(i, i + 1)
        .map((base) => value(ours, base)),
    )
  const ratio = (name: string, value: (round: Round) => number) => compare(name, (ours, base) => value(ours) / value(base))
  const added = compare(UNDICI, (ours, base) => ours.alone - base.alone)
  return [
    {
      name: 'P1',
      what: `calls per second, divided by ${EXPRESS}`,
      values: ratio(EXPRESS, ({ perSecond }) => perSecond),
      unit: '',
      atLeast: 2,
    },
    {
      name: 'P1',
      what: `CPU of the process, divided by ${EXPRESS}`,
      values: ratio(EXPRESS, ({ cpu }) => cpu.process),
      unit: '',
      atMost: 0.5,
    },
    {
      name: 'P2',
      what: `CPU of the process, divided by ${FASTIFY}`,
      values: ratio(FASTIFY, ({ cpu }) => cpu.process),
      unit: '',
      atMost: 1,
    },
    { name: 'P2', what: `CPU of all parts, divided by ${FIRST}`, values: ratio(FIRST, ({ cpu }) => cpu.all), unit: '', atMost: 0.2 },
    {
      name: '–',
      what: 'CPU of the process with 20 rules, divided by that without',
      values: compare(ONWARD, (ours, base) => ours.cpu.process / base.cpu.process, RULED),
      unit: '',
      atMost: 1.05,
    },
    {
      name: 'P3',
      what: `p50 of one caller, above ${UNDICI} and a flush to disk (${spread(flush, 'ms')})`,
      values: added.map((ms, i) => ms - (flush[i] ?? 0)),
      unit: 'ms',
      atMost: 0.7,
    },
    {
      name: 'P3',
      what: `p99 at half of the highest rate (${UNDICI} at this rate: ${spread(bareHalfLoad, 'ms')})`,
      values: halfLoad,
      unit: 'ms',
      atMost: 5,
    },
  ]
}

import { queueBackends } from '@onward/testbed'
import { openRig, RIG_DEFAULTS, type Rig } from '../src/rig/open-rig.ts'
import { countRows } from '../src/rig/postgres-server.ts'

import { callGoals, measureCalls } from '../src/speed/call.ts'
import { type Onward, openOnward } from '../src/speed/call-variants.ts'
import { measureGrowth, openGrown } from '../src/speed/growth.ts'
import { measureMetering } from '../src/speed/metering.ts'
import { measureWebhooks, WEBHOOK_RIG } from '../src/speed/webhook-speed.ts'

const PLAN = { rounds: 1, seconds: 0.3, connections: 2 }
const NUMBER = expect.any(Number)

const [on = 'postgres'] = queueBackends()
let rig: Rig
let onward: Onward

beforeAll(async () => {
  const root = process.cwd()
  const { insightsEnv } = WEBHOOK_RIG
  const options = { ...RIG_DEFAULTS, functions: 2, insights: 1, links: false, on, insightsEnv }
  rig = await openRig({ ...options, root, dir: `${root}/.onward/speed-test`, env: process.env })
  onward = await openOnward(rig, 4)
}, 300_000)

afterAll(() => rig.close(), 60_000)

// These tests show that the benchmarks work. No test compares a speed with a goal.
describe('the benchmarks of speed', () => {
  it('measure calls of Onward and of each baseline', async () => {
    const prepared: number[] = []
    const calls = await measureCalls(rig, onward, PLAN, (pid) => prepared.push(pid))
    // One baseline needs Redis.
    const first = on === 'redis' ? ['what one writes first'] : []
    const names = ['node:http → undici', '@fastify/http-proxy', 'Express + axios', ...first, 'Onward', 'Onward with 20 rules']
    expect([...calls.rounds.keys()]).toEqual(names)
    // Onward has two processes here, also with rules.
    expect(new Set(prepared).size).toBe(names.length)
    for (const [round] of calls.rounds.values())
      expect(round).toMatchObject({ perSecond: NUMBER, p50: NUMBER, p99: NUMBER, alone: NUMBER, cpu: { process: NUMBER, all: NUMBER } })
    for (const { what, values } of callGoals(calls)) if (on === 'redis' || !what.includes('writes first')) expect(values).toEqual([NUMBER])
  }, 300_000)

  it('measure growth', async () => {
    const root = process.cwd()
    const options = { ...RIG_DEFAULTS, functions: 1, insights: 1, links: false, on }
    const grown = await openRig({ ...options, root, dir: `${root}/.onward/speed-test/grown`, env: process.env })
    try {
      const everybody = await openGrown(grown, { rows: 1_000, users: 10, accounts: 10, functions: 1 })
      expect(await countRows(grown.functionsDb, 'call_log')).toBe(1_000)
      const [round] = await measureGrowth(onward, everybody, PLAN, () => {})
      for (const full of [round?.empty, round?.grown, round?.everybody]) expect(full?.cpu).toMatchObject({ process: NUMBER, all: NUMBER })
    } finally {
      await grown.close()
    }
  }, 300_000)

  it('measure metering', async () => {
    const [round] = await measureMetering(rig, onward.users, { tasks: 1_000, rounds: 1 })
    expect(round).toMatchObject({ all: NUMBER, alone: NUMBER, copy: NUMBER, cpu: { insights: NUMBER, postgres: NUMBER } })
  }, 300_000)

  it('measure webhooks', async () => {
    const prepared: number[] = []
    const webhooks = await measureWebhooks(rig, { deliveries: 200, rounds: 1, endpoints: 4 }, (pid) => prepared.push(pid))
    expect(prepared).toHaveLength(2)
    for (const [round] of [webhooks.bare, webhooks.ours])
      expect(round).toMatchObject({ perSecond: NUMBER, cpu: { process: NUMBER, postgres: NUMBER } })
  }, 300_000)
})

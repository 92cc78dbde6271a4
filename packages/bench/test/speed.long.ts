import { queueBackends } from '@onward/testbed'
import { openRig, RIG_DEFAULTS, type Rig } from '../src/rig/open-rig.ts'
import { callGoals, measureCalls } from '../src/speed/call.ts'

const [on = 'postgres'] = queueBackends()
let rig: Rig

beforeAll(async () => {
  const root = process.cwd()
  const options = { ...RIG_DEFAULTS, functions: 1, insights: 1, links: false, on }
  rig = await openRig({ ...options, root, dir: `${root}/.onward/speed-test`, env: process.env })
  await rig.start()
}, 300_000)

afterAll(() => rig.close(), 60_000)

describe('bench call', () => {
  it('measures Onward and each baseline', async () => {
    const prepared: number[] = []
    const calls = await measureCalls(rig, { rounds: 1, seconds: 0.3, connections: 2, users: 3 }, (pid) => prepared.push(pid))
    // One baseline needs Redis.
    const names = [
      'node:http → undici',
      '@fastify/http-proxy',
      'Express + axios',
      ...(on === 'redis' ? ['what one writes first'] : []),
      'Onward',
    ]
    expect([...calls.rounds.keys()]).toEqual(names)
    expect(new Set(prepared).size).toBe(names.length)
    for (const [round] of calls.rounds.values())
      expect([round?.perSecond, round?.p50, round?.p99, round?.alone, round?.cpu.all]).toEqual(Array(5).fill(expect.any(Number)))
    for (const { what, values } of callGoals(calls))
      if (on === 'redis' || !what.includes('writes first')) expect(values).toEqual([expect.any(Number)])
  }, 300_000)
})

import { median } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { memoryMb } from '../rig/cpu.ts'
import { type Onward, openOnward } from './call-variants.ts'
import { measureCatalog } from './catalog.ts'
import { insertFunctions } from './fill.ts'
import { putLoad } from './http-load.ts'

type Plan = { readonly calls: number; readonly connections: number }

/** In MB: before the first call, after each tenth of the calls, and the highest of all. */
export type Memory = { readonly before: number; readonly during: readonly number[]; readonly highest: number }

/**
 * What V8 chooses by itself in a container of 1 GiB, such as that of functions in docker-compose.yml. On a machine with more memory, V8 lets
 * garbage take several times as much before it collects it.
 */
const HEAP_FLAGS = ['--max-old-space-size=512']
const PARTS = 10
const MAX_SECONDS = 3_600

export const memory: Command = {
  summary: 'memory of functions with many functions and connected accounts, during calls of all users in turn',
  options: { functions: 10_000, accounts: 100_000, calls: 1_000_000, connections: 64 },
  async run({ say, withRig, report }, given) {
    await withRig({ functions: 1, insights: 1, links: false, built: true, realDisks: true, functionsFlags: HEAP_FLAGS }, async (rig) => {
      await insertFunctions(rig, given.number('functions'))
      const onward = await openOnward(rig, given.number('accounts'))
      const plan = { calls: given.number('calls'), connections: given.number('connections') }
      const { before, during, highest } = await measureMemory(onward, plan)
      say(`memory ${before} MB before the calls; after each tenth of them ${during.join(', ')} MB; never above ${highest} MB`)
      report([
        {
          name: 'P10',
          what: `highest memory of functions during calls of ${given.number('accounts')} users`,
          values: [Math.max(...during)],
          unit: 'MB',
          atMost: 400,
        },
        {
          name: 'P10',
          what: `memory in the second half of ${plan.calls} calls, divided by the first`,
          values: [median(during.slice(PARTS / 2)) / median(during.slice(0, PARTS / 2))],
          unit: '',
          atMost: 1.1,
        },
      ])
    })
  },
}

/** First lists, gets and predicts functions, so that the process holds all that these requests need. */
export async function measureMemory(onward: Onward, { calls, connections }: Plan): Promise<Memory> {
  const { urls, requests, pids, settle } = onward
  const read = async (field: 'VmRSS' | 'VmHWM') => Math.max(...(await Promise.all(pids.process.map((pid) => memoryMb(pid, field)))))
  await measureCatalog(onward, { rounds: 0, requests: 100 })
  const before = await read('VmRSS')
  const during: number[] = []
  const count = Math.ceil(calls / PARTS)
  while (during.length < PARTS) {
    const made = during.length * count
    const inTurn = Array.from({ length: Math.min(count, requests.length) }, (_, n) => requests[(made + n) % requests.length] ?? Buffer.of())
    await putLoad(urls, inTurn, { connections, seconds: MAX_SECONDS, count })
    await settle()
    during.push(await read('VmRSS'))
  }
  return { before, during, highest: await read('VmHWM') }
}

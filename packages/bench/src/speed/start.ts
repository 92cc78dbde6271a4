import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../rig/command-line.ts'
import { cpuMs, memoryMb, usedByEndedChildren } from '../rig/cpu.ts'
import type { Rig } from '../rig/open-rig.ts'
import type { Service } from '../rig/processes.ts'
import { pidOf } from './call-variants.ts'

/** CPU time from the start until the service is healthy, and its memory a while later. */
type Round = { readonly cpuSeconds: number; readonly memoryMb: number }

const REST_MS = 3_000
const CLI = 'packages/cli'

export const start: Command = {
  summary: 'CPU time until a service is healthy, its memory at rest, and CPU time of `onward --help`',
  options: { rounds: 5 },
  async run({ withRig, report }, given) {
    const rounds = given.number('rounds')
    // Only the built-in apps, as in the image.
    const functionsEnv = { APPS_PATH: '' }
    await withRig({ functions: 1, insights: 1, links: false, built: true, functionsEnv }, async (rig) => {
      const { functions, insights } = await measureStarts(rig, rounds, REST_MS)
      const cpu = (of: readonly Round[]) => of.map(({ cpuSeconds }) => cpuSeconds)
      const memory = (of: readonly Round[]) => of.map((round) => round.memoryMb)
      execFileSync(process.execPath, [`${CLI}/build.mjs`])
      const help = Array.from({ length: rounds }, () => secondsOf(`${CLI}/dist/onward.mjs`, '--help'))
      report([
        { name: 'start', what: 'CPU until functions is healthy', values: cpu(functions), unit: 's', atMost: 1 },
        { name: 'start', what: 'CPU until insights is healthy', values: cpu(insights), unit: 's', atMost: 1 },
        { name: 'start', what: 'memory of functions at rest', values: memory(functions), unit: 'MB', atMost: 150 },
        { name: 'start', what: 'memory of insights at rest', values: memory(insights), unit: 'MB', atMost: 150 },
        { name: 'start', what: 'CPU of `onward --help`', values: help, unit: 's', atMost: 0.5 },
      ])
    })
  },
}

/** Starts and stops each service several times, after a first start that creates what lasts. */
export async function measureStarts({ functions, insights }: Rig, rounds: number, restMs: number) {
  const measure = async (service: Service | undefined) => {
    if (service === undefined) throw new Error('the rig needs both services')
    const found: Round[] = []
    while (found.length <= rounds) {
      await service.start()
      const cpuSeconds = (await cpuMs([pidOf(service)])) / 1_000
      await sleep(restMs)
      found.push({ cpuSeconds, memoryMb: await memoryMb(pidOf(service), 'VmRSS') })
      await service.stop()
    }
    return found.slice(1)
  }
  return { functions: await measure(functions[0]), insights: await measure(insights[0]) }
}

/** Returns the CPU time of a program of Node, in seconds. */
function secondsOf(script: string, ...args: string[]): number {
  const before = usedByEndedChildren()
  execFileSync(process.execPath, [script, ...args])
  return (usedByEndedChildren() - before) / 1_000
}

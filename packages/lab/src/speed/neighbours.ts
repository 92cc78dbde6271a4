import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { putApp } from '@onward/contract'
import { send } from '@onward/contract-client'
import { waitUntil } from '@onward/dev-env'
import { CASES } from '../child/noisy-callers.ts'
import { quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { memoryMb } from '../rig/cpu.ts'
import type { Rig } from '../rig/open-rig.ts'
import { adminOf, callFunction, createWorkspace, openPools, type User } from '../rig/workspace.ts'

const USERS = 4
const MAX_MB = 600
const MAX_RATIO = 2
const MAX_GROWTH = 1.2
const WARM_UP_SECONDS = 5
const BACK_MS = 90_000

export const neighbours: Command = {
  summary: 'one application misbehaves: p99 of the calls of another one beside a run without it, and the memory of the process',
  options: { only: Object.keys(CASES).join(','), rate: 40, seconds: 20 },
  async run({ say, withRig }, given) {
    const failed: string[] = []
    for (const name of given.text('only').split(',')) {
      if (CASES[name] === undefined) throw new Error(`there is no case ${name}`)
      await withRig({ functions: 1, insights: 1, links: false, built: true }, async (rig) => {
        const problems = await measure(rig, name, { rate: given.number('rate'), seconds: given.number('seconds') }, (line) =>
          say(`${name}: ${line}`),
        )
        failed.push(...problems.map((problem) => `${name}: ${problem}`))
      })
    }
    if (failed.length > 0) throw new Error(failed.join('\n'))
  },
}

type Load = { readonly rate: number; readonly seconds: number }

/** Returns what does not hold. */
async function measure(rig: Rig, name: string, load: Load, say: (line: string) => void): Promise<string[]> {
  await rig.start()
  const [service] = rig.functions
  const pid = service?.pid()
  if (service === undefined || pid === undefined) throw new Error('the rig has no functions')
  const noisyUrl = (await rig.startHelper<string>('noisy-app', {})).ready
  await send(adminOf(service), putApp, { params: { name: 'noisy' }, body: { file: noisyApp(noisyUrl) } })
  const [quiet] = await (await createWorkspace(rig, {}, 'quiet')).connect(['quiet@example.com'])
  // It has the default rate limits.
  const noisyWorkspace = await createWorkspace(rig, {}, 'noisy', {})
  const noisy = await noisyWorkspace.connect(Array.from({ length: USERS }, (_, n) => `noisy-${n}@example.com`))
  if (quiet === undefined) throw new Error('there is no user')

  await callSteadily(rig, quiet, { ...load, seconds: WARM_UP_SECONDS })
  const alone = await callSteadily(rig, quiet, load)
  const idleMb = await memoryMb(pid, 'VmRSS')
  await writeFile(`/proc/${pid}/clear_refs`, '5')

  const callers = await rig.startHelper<string>('noisy-callers', { name, users: noisy, url: service.url, appUrl: noisyUrl })
  const beside = await callSteadily(rig, quiet, load)
  const peakMb = await memoryMb(pid, 'VmHWM')
  callers.end()
  const from = performance.now()
  const isBack = await waitUntil(async () => (await memoryMb(pid, 'VmRSS')) <= idleMb * MAX_GROWTH, BACK_MS, 500)
  const backMs = performance.now() - from
  const endMb = await memoryMb(pid, 'VmRSS')

  const ratio = quantile(beside.times, 0.99) / quantile(alone.times, 0.99)
  say(`alone ${textOf(alone)}; beside ${textOf(beside)}; ${ratio.toFixed(1)} times as long`)
  say(`memory ${idleMb} MB idle, ${peakMb} MB at most, ${endMb} MB ${Math.round(backMs / 1_000)} s later`)
  return [
    ...(ratio <= MAX_RATIO ? [] : [`p99 is ${ratio.toFixed(1)} times as long`]),
    ...(beside.failures.length === 0 ? [] : [`${beside.failures.length} calls failed, such as ${beside.failures[0]}`]),
    ...(peakMb <= MAX_MB ? [] : [`the process took ${peakMb} MB`]),
    ...(isBack ? [] : [`the process still takes ${endMb} MB, idle ${idleMb} MB`]),
  ]
}

type Steady = { readonly times: readonly number[]; readonly failures: readonly string[] }

/** Calls at a steady rate, whatever the earlier calls do. */
async function callSteadily(rig: Rig, user: User, { rate, seconds }: Load): Promise<Steady> {
  const [pool] = openPools(rig, 1_000)
  if (pool === undefined) throw new Error('the rig has no functions')
  const times: number[] = []
  const failures: string[] = []
  const from = performance.now()
  await Promise.all(
    Array.from({ length: rate * seconds }, async (_, n) => {
      const at = from + (n * 1_000) / rate
      await sleep(at - performance.now())
      const { status, text } = await callFunction(pool, user, 60_000).catch((err: Error) => ({ status: 0, text: err.message }))
      times.push(performance.now() - at)
      if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`)
    }),
  )
  await pool.destroy()
  return { times, failures }
}

function textOf({ times }: Steady): string {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0))
  return `p50 ${p50}, p99 ${p99}, max ${max} ms`
}

function noisyApp(url: string) {
  const text = { type: 'string', description: 'Some text.' }
  const functionOf = (path: string) => ({
    title: `Get ${path}`,
    description: `Gets ${path}.`,
    type: 'ACTION',
    parameters: { properties: { text } },
    request: { method: 'POST', path: `/${path}`, body: { text: '{text}' } },
  })
  return {
    name: 'noisy',
    title: 'Noisy',
    description: 'An app that misbehaves.',
    base_url: url,
    auth: { type: 'none' },
    functions: {
      ...Object.fromEntries(['slow', 'huge', 'stalled', 'failing'].map((path) => [path, functionOf(path)])),
      upload: {
        title: 'Upload',
        description: 'Uploads a file.',
        type: 'ACTION',
        files: { file: { description: 'The file.' } },
        request: { method: 'POST', path: '/upload', body_type: 'multipart', body: { file: '{file}' } },
      },
    },
  }
}

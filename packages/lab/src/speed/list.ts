import { createHash } from 'node:crypto'
import { request } from 'undici'
import type { Measures } from '../child/measures.ts'
import { median } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { APP_KEY, createWorkspace } from '../rig/workspace.ts'
import { insertUsers } from './users.ts'

type Measured = { measure(work: () => Promise<void>): Promise<Measures> }
type Source = { readonly process: Measured; readonly url: string; readonly headers: Record<string, string> }

/** `idleLoopDelayMs`: the event loop delay of an idle process at the same time. Other work on the machine causes it. */
type Round = Measures & {
  readonly idleLoopDelayMs: number
  readonly ms: number
  readonly firstMs: number
  readonly bytes: number
  readonly digest: string
}

const WARM_UP = 2

export const list: Command = {
  summary: 'the streamed list of all users beside one query and one response: time, memory, event loop delay',
  options: { users: 100_000, rounds: 9 },
  async run({ say, withRig, report }, given) {
    await withRig({ functions: 0, insights: 1, links: false, measured: true }, async (rig) => {
      await rig.start()
      const [service] = rig.insights
      if (service === undefined) throw new Error('the rig has no insights')
      const { apiKey } = await createWorkspace(rig)
      await insertUsers(rig.insightsDb, given.number('users'))
      const oneShot = await rig.startHelper<string>('one-shot-list', { databaseUrl: rig.insightsDb })
      const sources: [Source, Source] = [
        { process: service, url: service.url, headers: { 'api-key': apiKey } },
        { process: oneShot, url: oneShot.ready, headers: {} },
      ]
      const [streamed, whole]: [Round[], Round[]] = [[], []]
      for (let i = 0; i < WARM_UP + given.number('rounds'); i++) {
        const [a, b] = [await read(sources[0], oneShot), await read(sources[1], service)]
        if (a.digest !== b.digest) throw new Error('the two lists differ')
        if (i < WARM_UP) continue
        streamed.push(a)
        whole.push(b)
      }
      say(`one-shot: ${textOf(whole)}`)
      say(`streamed: ${textOf(streamed)}`)
      const ratios = streamed.map(({ ms }, i) => ms / (whole[i]?.ms ?? Number.NaN))
      report([
        { name: 'P8', what: 'time of the streamed list, divided by one-shot', values: ratios, unit: '', atMost: 1.2 },
        { name: 'P8', what: 'memory above idle', values: streamed.map(({ extraMb }) => extraMb), unit: 'MB', atMost: 70 },
        { name: 'P8', what: 'event loop delay', values: streamed.map(({ loopDelayMs }) => loopDelayMs), unit: 'ms', atMost: 15 },
      ])
    })
  },
}

/** Reads a list. During that time, measures the process that serves it, and an idle one. */
async function read({ process: server, url, headers }: Source, idle: Measured): Promise<Round> {
  const hash = createHash('sha256')
  let [ms, firstMs, bytes] = [0, 0, 0]
  const work = async () => {
    const start = performance.now()
    const { statusCode, body } = await request(`${url}/partners/api/insights/users/tasks/?app_key=${APP_KEY}`, { headers })
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
    for await (const chunk of body) {
      if (bytes === 0) firstMs = performance.now() - start
      bytes += chunk.length
      hash.update(chunk)
    }
    ms = performance.now() - start
  }
  let measures: Measures = { loopDelayMs: 0, cpuMs: 0, extraMb: 0 }
  const ofIdle = await idle.measure(async () => {
    measures = await server.measure(work)
  })
  return { ...measures, idleLoopDelayMs: ofIdle.loopDelayMs, ms, firstMs, bytes, digest: hash.digest('hex') }
}

function textOf(rounds: readonly Round[]): string {
  const figure = (key: Exclude<keyof Round, 'digest'>, digits = 0) => {
    const values = rounds.map((round) => round[key])
    return `${median(values).toFixed(digits)} (worst ${Math.max(...values).toFixed(digits)})`
  }
  return (
    `${figure('ms')} ms, first byte after ${figure('firstMs')} ms, CPU ${figure('cpuMs')} ms, memory +${figure('extraMb')} MB, ` +
    `event loop delay ${figure('loopDelayMs', 1)} ms (idle process: ${figure('idleLoopDelayMs', 1)}), ${(rounds[0]?.bytes ?? 0) / 1e6} MB`
  )
}

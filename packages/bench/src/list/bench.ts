import { createHash } from 'node:crypto'
import { request } from 'undici'
import type { Bench, Lab } from '../bench.ts'
import { makeUsers } from '../partner/make-users.ts'
import type { Measures } from '../partner/measures.ts'
import { APP_KEY, openPartner, type Partner } from '../partner/open-partner.ts'
import { quantile } from '../partner/quantile.ts'
import { type Child, startChild } from '../partner/start-child.ts'

/** `idleHeldMs`: for how long a process that had nothing to do was held meanwhile, by the machine. */
type Round = Measures & {
  readonly idleHeldMs: number
  readonly ms: number
  readonly firstMs: number
  readonly bytes: number
  readonly digest: string
}

const GOALS = { ratio: 1.2, extraMb: 70, heldMs: 15 }

/** The streamed list of all users against all of it in one piece, in turns. */
export const bench: Bench = {
  summary: 'the list of all users, streamed, against one query and one answer: time, memory, how long the event loop is held',
  options: { users: 100_000, rounds: 9 },
  async run(lab, { users = 0, rounds = 0 }) {
    const partner = await openPartner()
    const oneShot = await startChild<{ url: string }>('list/main.ts', { DATABASE_URL: partner.suite.databaseUrl })
    try {
      await makeUsers(partner.suite.databaseUrl, users)
      await compare(lab, partner, oneShot, rounds)
    } finally {
      await oneShot.stop()
      await partner.close()
    }
  },
}

async function compare(lab: Lab, partner: Partner, oneShot: Child<{ url: string }>, rounds: number): Promise<void> {
  const streamed: Round[] = []
  const whole: Round[] = []
  // The first two of each warm the processes up.
  for (let i = -2; i < rounds; i++) {
    const [a, b] = [
      await read(partner.child, oneShot, partner.child.ready.url, partner.apiKey),
      await read(oneShot, partner.child, oneShot.ready.url, ''),
    ]
    if (a.digest !== b.digest) throw new Error('the two lists differ')
    if (i < 0) continue
    streamed.push(a)
    whole.push(b)
  }
  say(lab, 'one-shot', whole)
  say(lab, 'streamed', streamed)
  const median = (key: 'ms', of: readonly Round[]) =>
    quantile(
      of.map((round) => round[key]),
      0.5,
    )
  const ratio = median('ms', streamed) / median('ms', whole)
  lab.say(`streamed takes ${ratio.toFixed(2)} times as long as one-shot`)
  const most = (key: 'extraMb' | 'heldMs') =>
    quantile(
      streamed.map((round) => round[key]),
      0.5,
    )
  if (ratio > GOALS.ratio) throw new Error(`it may take at most ${GOALS.ratio} times as long`)
  if (most('extraMb') > GOALS.extraMb) throw new Error(`it may take at most ${GOALS.extraMb} MB more`)
  if (most('heldMs') > GOALS.heldMs) throw new Error(`it may hold the event loop for at most ${GOALS.heldMs} ms`)
}

async function read(child: Child<unknown>, idle: Child<unknown>, url: string, apiKey: string): Promise<Round> {
  const hash = createHash('sha256')
  let [ms, firstMs, bytes] = [0, 0, 0]
  const work = async () => {
    const start = performance.now()
    const headers = apiKey === '' ? {} : { 'api-key': apiKey }
    const { statusCode, body } = await request(`${url}/partners/api/insights/users/tasks/?app_key=${APP_KEY}`, { headers })
    if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
    for await (const chunk of body) {
      if (bytes === 0) firstMs = performance.now() - start
      bytes += chunk.length
      hash.update(chunk)
    }
    ms = performance.now() - start
  }
  let measures: Measures = { heldMs: 0, cpuMs: 0, extraMb: 0 }
  const around = await idle.measure(async () => {
    measures = await child.measure(work)
  })
  return { ...measures, idleHeldMs: around.heldMs, ms, firstMs, bytes, digest: hash.digest('hex') }
}

function say(lab: Lab, name: string, rounds: readonly Round[]): void {
  const figure = (key: Exclude<keyof Round, 'digest'>, digits = 0) => {
    const values = rounds.map((round) => round[key])
    return `${quantile(values, 0.5).toFixed(digits)} (worst ${Math.max(...values).toFixed(digits)})`
  }
  lab.say(
    `${name}: ${figure('ms')} ms, first byte after ${figure('firstMs')} ms, CPU ${figure('cpuMs')} ms, ` +
      `memory +${figure('extraMb')} MB, event loop held ${figure('heldMs', 1)} ms (an idle process: ${figure('idleHeldMs', 1)}), ${(rounds[0]?.bytes ?? 0) / 1e6} MB`,
  )
}

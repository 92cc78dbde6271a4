import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildRanker, type Rankable, type Ranker, readKnowledge } from '@onward/predict'
import type { Bench } from '../bench.ts'
import { rankByWords } from '../eval/baseline/rank-by-words.ts'
import { quantile } from '../partner/quantile.ts'
import { makeFunctions } from './make-functions.ts'

const GOALS = { p99Ms: 10, buildMs: 2_000, memoryMb: 150, heldMs: 30 }
const REBUILDS = 5
const WEIGHTS = 'packages/predict/weights'
const APPS = 'packages/catalog/apps'

/** All times are of the CPU, so that what else the machine does counts as little as can be. */
export const bench: Bench = {
  summary:
    'predict at many functions, beside the lexical baseline: building, asking, memory, how long the event loop is held; takes folders of sets',
  options: { functions: 10_000, prompts: 2_000 },
  takesFolders: true,
  async run(lab, { functions: count = 0, prompts: asked = 0 }, folders) {
    const { functions, prompts } = await makeFunctions(APPS, folders, count)
    const texts = functions.map(({ name, title, description, app, parameters }) => {
      const entries = Object.entries(parameters.properties)
      return {
        name,
        text: [name, app.name, app.title, title, description, ...entries.flatMap(([key, schema]) => [key, schema.description])].join(' '),
      }
    })
    const some = Array.from({ length: asked }, (_, i) => prompts[(i * 7) % prompts.length] ?? '')
    const words = measure(() => rankByWords(texts))
    const baseline = askAll(some, words.value)

    const before = usedMb()
    const knowledge = await readKnowledge(WEIGHTS)
    const fresh = () => functions.map((fn) => ({ ...fn }))
    let ranker: Ranker | undefined
    const build = (of: readonly Rankable[]) =>
      measureBuilding(async () => {
        ranker = await buildRanker(of, knowledge)
      })
    const first = await build(fresh())
    const again: { ms: number; heldMs: number }[] = []
    for (let i = 0; i < REBUILDS; i++) again.push(await build(fresh()))
    const median = (of: 'ms' | 'heldMs') =>
      quantile(
        again.map((each) => each[of]),
        0.5,
      )
    const unchanged = await build(functions).then(() => build(functions))
    const memoryMb = usedMb() - before
    const connected = () => false
    const ours = askAll(some, (prompt) => ranker?.rank(prompt, { connected, count: 5 }))
    const afterMb = usedMb() - before

    lab.say(`${functions.length} functions of ${folders.length} sets and the built-in apps, ${some.length} prompts`)
    lab.say(`baseline: built in ${words.ms.toFixed(0)} ms; a prompt ${say(baseline)}`)
    lab.say(
      `predict: built in ${first.ms.toFixed(0)} ms, then ${median('ms').toFixed(0)} ms, with no function changed ${unchanged.ms.toFixed(0)} ms; a prompt ${say(ours)}`,
    )
    lab.say(
      `memory: ${memoryMb.toFixed(0)} MB, after use ${afterMb.toFixed(0)} MB; event loop held while building for at most ${median('heldMs').toFixed(1)} ms`,
    )
    hold('a prompt may take at p99', quantile(ours, 0.99), GOALS.p99Ms, 'ms')
    hold('building may take', median('ms'), GOALS.buildMs, 'ms')
    hold('there may be', afterMb, GOALS.memoryMb, 'MB')
    hold('building may hold the event loop for', median('heldMs'), GOALS.heldMs, 'ms')
  },
}

function hold(what: string, value: number, goal: number, unit: string): void {
  if (value > goal) throw new Error(`${what} at most ${goal} ${unit}, not ${value.toFixed(1)}`)
}

function say(times: readonly number[]): string {
  return `${[0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(times, share).toFixed(2)}`).join(', ')} ms`
}

function askAll(prompts: readonly string[], ask: (prompt: string) => unknown): number[] {
  for (const prompt of prompts.slice(0, 500)) ask(prompt)
  return prompts.map((prompt) => measure(() => ask(prompt)).ms)
}

function measure<T>(work: () => T): { value: T; ms: number } {
  const from = process.cpuUsage()
  const value = work()
  return { value, ms: msSince(from) }
}

/** `heldMs`: the longest time between two turns of the event loop. */
async function measureBuilding(build: () => Promise<void>): Promise<{ ms: number; heldMs: number }> {
  let heldMs = 0
  let turn = process.cpuUsage()
  const watch = () => {
    heldMs = Math.max(heldMs, msSince(turn))
    turn = process.cpuUsage()
    next = setImmediate(watch)
  }
  let next = setImmediate(watch)
  const from = process.cpuUsage()
  await build()
  const ms = msSince(from)
  clearImmediate(next)
  return { ms, heldMs }
}

function msSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** After a full collection. */
function usedMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

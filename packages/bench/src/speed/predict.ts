import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadCatalog } from '@onward/catalog'
import { buildRanker, type Rankable, type Ranker, readKnowledge } from '@onward/predict'
import { readSets } from '@onward/predict/training-sets'
import { rankByWords } from '../eval/baseline.ts'
import { median, quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { measureWork, msSince } from './loop-delay.ts'

const GOALS = { buildMs: 2_000, memoryMb: 150, loopDelayMs: 30 }
const REBUILDS = 5
const WARM_UP = 500
const WEIGHTS = 'packages/predict/weights'
const APPS = 'packages/catalog/apps'

/** All times are CPU times, so that other work on the machine has little effect. The folders hold sets for `pnpm eval`. */
export const predict: Command = {
  summary: 'ranking many functions, beside the lexical baseline: building, asking, memory, event loop delay; takes folders of sets',
  options: { functions: 10_000, prompts: 2_000 },
  async run({ say, report }, given) {
    const { functions, prompts } = await makeFunctions(given.folders, given.number('functions'))
    const asked = Array.from({ length: given.number('prompts') }, (_, i) => prompts[(i * 7) % prompts.length] ?? '')
    const texts = functions.map(({ name, title, description, app, parameters }) => {
      const entries = Object.entries(parameters.properties).flatMap(([key, schema]) => [key, schema.description])
      return { name, text: [name, app.name, app.title, title, description, ...entries].join(' ') }
    })
    const words = measure(() => rankByWords(texts))
    const baseline = askAll(asked, words.value)

    const before = usedMb()
    const knowledge = await readKnowledge(WEIGHTS)
    let ranker: Ranker | undefined
    const build = (of: readonly Rankable[]) =>
      measureWork(async () => {
        ranker = await buildRanker(of, knowledge)
      })
    const fresh = () => functions.map((fn) => ({ ...fn }))
    const first = await build(fresh())
    const again: { ms: number; loopDelayMs: number }[] = []
    while (again.length < REBUILDS) again.push(await build(fresh()))
    const [buildMs, loopDelayMs] = [median(again.map(({ ms }) => ms)), median(again.map((each) => each.loopDelayMs))]
    await build(functions)
    const unchanged = await build(functions)
    const memoryMb = usedMb() - before
    const connected = () => false
    const ours = askAll(asked, (prompt) => ranker?.rank(prompt, { connected, count: 5 }))
    const afterMb = usedMb() - before

    say(`${functions.length} functions of ${given.folders.length} sets and the built-in apps, ${asked.length} prompts`)
    say(`baseline: built in ${words.ms.toFixed(0)} ms; a prompt ${textOf(baseline)}`)
    say(`predict: built in ${first.ms.toFixed(0)} ms, then ${buildMs.toFixed(0)} ms, without changes ${unchanged.ms.toFixed(0)} ms`)
    say(`predict: a prompt ${textOf(ours)}`)
    say(`memory ${memoryMb.toFixed(0)} MB, after use ${afterMb.toFixed(0)} MB; event loop delay ${loopDelayMs.toFixed(1)} ms`)
    report([{ name: 'P9', what: 'a prompt at p99', values: [quantile(ours, 0.99)], unit: 'ms', atMost: 10 }])
    assertAtMost('building', buildMs, GOALS.buildMs, 'ms')
    assertAtMost('memory', afterMb, GOALS.memoryMb, 'MB')
    assertAtMost('the event loop delay', loopDelayMs, GOALS.loopDelayMs, 'ms')
  },
}

/** Repeats the functions of the sets and the built-in apps under other names until there are `count`. Returns them and prompts for them. */
export async function makeFunctions(folders: readonly string[], count: number) {
  const { functions: builtIn } = await loadCatalog([APPS])
  const sets = (await Promise.all(folders.map(readSets))).flat()
  const all: readonly Rankable[] = [...sets.flatMap(({ functions }) => functions), ...builtIn]
  const copies = Array.from({ length: Math.ceil(count / all.length) }, (_, copy) =>
    all.map((fn) => ({ ...fn, name: `${fn.name}_${copy}`, app: { name: `${fn.app.name}_${copy}`, title: fn.app.title } })),
  )
  const prompts = sets.flatMap(({ queries }) => queries.map(({ prompt }) => prompt))
  return { functions: copies.flat().slice(0, count), prompts: [...prompts, ...builtIn.flatMap(({ examples }) => examples)] }
}

function assertAtMost(what: string, value: number, goal: number, unit: string): void {
  if (value > goal) throw new Error(`${what} may be at most ${goal} ${unit}, not ${value.toFixed(1)}`)
}

function textOf(times: readonly number[]): string {
  return `${[0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(times, share).toFixed(2)}`).join(', ')} ms`
}

function askAll(prompts: readonly string[], ask: (prompt: string) => unknown): number[] {
  for (const prompt of prompts.slice(0, WARM_UP)) ask(prompt)
  return prompts.map((prompt) => measure(() => ask(prompt)).ms)
}

function measure<T>(work: () => T): { value: T; ms: number } {
  const from = process.cpuUsage()
  const value = work()
  return { value, ms: msSince(from) }
}

/** Returns the used memory after a full garbage collection. */
function usedMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

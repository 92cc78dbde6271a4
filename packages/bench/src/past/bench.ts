import { join } from 'node:path'
import { buildPast, buildRanker, type Past, type PastPrompt, pastWords, type Ranker, readKnowledge } from '@onward/predict'
import { type PromptSet, readSets } from '@onward/predict/training-sets'
import { openRandom } from '@onward/testbed'
import type { Bench } from '../bench.ts'
import { readLines } from '../eval/sets/read-lines.ts'

const WEIGHTS = 'packages/predict/weights'
const COUNTS = [0, 1, 3, 10, 30]
/** A past prompt is one whose function was among so many predicted. */
const SEEN = 10

type Line = { readonly prompt: string; readonly function: string }

const line = {
  type: 'object',
  required: ['prompt', 'function'],
  properties: { prompt: { type: 'string' }, function: { type: 'string' } },
} as const

export const bench: Bench = {
  summary:
    'learning from use: recall with 1, 3, 10 and 30 past prompts of a function; takes the folder of a set that holds a past.jsonl too, then that of a ranker',
  options: { seed: 1 },
  takesFolders: true,
  async run(lab, { seed = 1 }, [folder, rankerFolder = WEIGHTS]) {
    if (folder === undefined) throw new Error('give the folder of a set that holds a past.jsonl')
    const knowledge = await readKnowledge(WEIGHTS, rankerFolder)
    const [set] = (await readSets(folder)) as [PromptSet]
    const ranker = await buildRanker(set.functions, knowledge)
    const past = pastOf(set, ranker, await readLines<Line>(join(folder, 'past.jsonl'), line), seed)
    for (const count of COUNTS) {
      const prompts = someOfEach(past, count)
      const places = placesOf(set, ranker, await buildPast(prompts, knowledge))
      const share = (most: number) => (places.filter((place) => place >= 0 && place < most).length / places.length).toFixed(3)
      lab.say(
        `${set.name}, at most ${count} past prompts of a function, ${prompts.length} in all: recall@1 ${share(1)}, recall@5 ${share(5)}`,
      )
    }
  },
}

/** In an order that the seed tells; without those that are the same as one that is asked. */
function pastOf({ functions, queries }: PromptSet, ranker: Ranker, lines: readonly Line[], seed: number): PastPrompt[] {
  const asked = new Set(queries.map(({ prompt }) => pastWords(prompt)))
  const random = openRandom(seed)
  return lines
    .map((line) => ({ ...line, words: pastWords(line.prompt), at: random() }))
    .filter(({ words }) => !asked.has(words))
    .sort((a, b) => a.at - b.at)
    .flatMap(({ prompt, function: name, words }) => {
      const { ranked } = ranker.rank(prompt, { connected: () => false, count: SEEN })
      const predicted = ranked.find(({ number }) => functions[number]?.name === name)
      return predicted === undefined ? [] : [{ prompt: words, function: name, doubt: 1 - predicted.confidence }]
    })
}

function someOfEach(past: readonly PastPrompt[], count: number): PastPrompt[] {
  const kept = new Map<string, number>()
  return past.filter((each) => {
    const before = kept.get(each.function) ?? 0
    kept.set(each.function, before + 1)
    return before < count
  })
}

/** The place of the first right function of each prompt, from 0; -1 when it is not among the first five. */
function placesOf({ functions, queries }: PromptSet, ranker: Ranker, past: Past): number[] {
  return queries.map(({ prompt, gold }) => {
    const { ranked } = ranker.rank(prompt, { connected: () => false, count: 5, past })
    return ranked.findIndex(({ number }) => gold.includes(functions[number]?.name ?? ''))
  })
}

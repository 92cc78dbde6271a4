import { inSlices, type Steps } from '../in-slices.ts'
import { stem } from '../words/stems.ts'
import { embed, product, type Vectors } from '../words/vectors.ts'
import { contentWords } from '../words/words.ts'
import { type English, rarityOf } from './english.ts'
import type { RankingKnowledge } from './knowledge.ts'
import { pastWords } from './past-words.ts'
import { bestOf } from './retrieve.ts'
import { openWordOdds } from './word-odds.ts'

/** A prompt whose predicted function was then called. `prompt` is the result of `pastWords`. */
export type PastPrompt = {
  readonly prompt: string
  /** The name of the function. */
  readonly function: string
  /** 0 to 1: one minus the confidence of the prediction. A prompt that was predicted with certainty teaches little. */
  readonly doubt: number
}

/** How strongly past prompts support a function. */
type Evidence = {
  /** Is added to the score of the function. */
  readonly score: number
  /** 0 to 1: the similarity of the most similar past prompt. */
  readonly similarity: number
}

/** The result of comparing a new prompt with past prompts. */
type Recalled = {
  /** By function name, the highest score first. */
  readonly evidence: ReadonlyMap<string, Evidence>
  /** The function of the newest identical prompt, or undefined. */
  readonly same: string | undefined
}

/** The past prompts of a user, or those that users of an application share. */
export type Past = {
  readonly count: number
  /** The names of the functions that were called. */
  readonly functions: ReadonlySet<string>
  recall(prompt: string): Recalled
  /** Returns the user's own past prompts that are most similar, at most `count`, the most similar first. */
  similar(prompt: string, count: number): PastPrompt[]
}

/** Weights of shared words and of similar meaning. Even unrelated prompts may reach the cosine ANY_COSINE. */
const WORDS = 8
const MEANING = 6
const ANY_COSINE = 0.3
/** Weight of the word odds; see `openWordOdds`. */
const ODDS = 0.5
/** Limits the odds, because a long prompt has many words. */
const MAX_ODDS = 15
/** The number of past prompts that count for a function. Each counts half as much as the next more similar prompt. */
const NEAREST = 4
/** A prompt that was predicted with certainty still counts a little. */
const MIN_DOUBT = 0.05
/** The largest number of functions with evidence. */
const MAX_FUNCTIONS = 50
/** The same scale as in `buildMeaning`. */
const STEPS = 127 / 0.45

/** `prompts` are sorted by age, the newest first. Yields to the event loop while it builds. */
export async function buildPast(prompts: readonly PastPrompt[], { english }: RankingKnowledge): Promise<Past> {
  return await inSlices(build(prompts, english))
}

function* build(prompts: readonly PastPrompt[], { vectors }: English): Steps<Past> {
  const { dims } = vectors
  const count = prompts.length
  const names = [...new Set(prompts.map((past) => past.function))]
  const numbers = new Map(names.map((name, number) => [name, number]))
  const functions = Uint32Array.from(prompts, (past) => numbers.get(past.function) as number)
  const doubts = Float32Array.from(prompts, ({ doubt }) => Math.max(MIN_DOUBT, doubt))
  const wholes = new Float32Array(count)
  const cells = new Int8Array(count * dims)
  const same = new Map<string, string>()
  const lists = new Map<string, number[]>()
  for (const [i, past] of prompts.entries()) {
    if (!same.has(past.prompt)) same.set(past.prompt, past.function)
    const read = readWords(past.prompt, vectors)
    wholes[i] = read.whole
    cells.set(read.cells, i * dims)
    for (const each of read.stems) {
      const list = lists.get(each)
      if (list === undefined) lists.set(each, [i])
      else list.push(i)
    }
    yield
  }
  const postings = new Map(Array.from(lists, ([each, list]) => [each, Uint32Array.from(list)]))
  const oddsFor = openWordOdds(functions, names.length, postings)

  /** Returns, for each past prompt, the summed rarity of the words that it shares. */
  function sharedWith(stems: ReadonlySet<string>): Float32Array {
    const shared = new Float32Array(count)
    for (const each of stems) {
      const rarity = rarityOf(vectors.findStem(each))
      for (const i of postings.get(each) ?? []) (shared[i] as number) += rarity
    }
    return shared
  }

  /** Visits each past prompt that is similar to a text. */
  function compare(asked: ReturnType<typeof readWords>, visit: (i: number, overlap: number, cosine: number) => void): void {
    const shared = sharedWith(asked.stems)
    for (let i = 0; i < count; i++) {
      const cosine = product(cells, i * dims, asked.cells, 0, dims) / (STEPS * STEPS)
      const overlap = (shared[i] as number) / Math.sqrt((wholes[i] as number) * asked.whole || 1)
      if (overlap > 0 || cosine > ANY_COSINE) visit(i, overlap, cosine)
    }
  }

  function evidenceFor(text: string): Map<string, Evidence> {
    const asked = readWords(text, vectors)
    const scores = new Float32Array(names.length * NEAREST)
    const similarities = new Float32Array(names.length)
    compare(asked, (i, overlap, cosine) => {
      const number = functions[i] as number
      const similarity = (overlap + Math.max(0, cosine)) / 2
      if (similarity > (similarities[number] as number)) similarities[number] = similarity
      putNearest(scores, number, (doubts[i] as number) * (WORDS * overlap + MEANING * Math.max(0, cosine - ANY_COSINE)))
    })
    const odds = oddsFor(asked.stems)
    const sums = Float32Array.from(names, (_, number) => strength(scores, number) + Math.min(MAX_ODDS, ODDS * (odds[number] as number)))
    const best = bestOf(sums, MAX_FUNCTIONS)
    return new Map(
      best.map((number) => [names[number] as string, { score: sums[number] as number, similarity: similarities[number] as number }]),
    )
  }

  return {
    count,
    functions: new Set(names),
    recall(prompt) {
      const text = pastWords(prompt)
      return { evidence: evidenceFor(text), same: text === '' ? undefined : same.get(text) }
    },
    similar(prompt, most) {
      const similarities = new Float32Array(count)
      compare(readWords(pastWords(prompt), vectors), (i, overlap, cosine) => {
        similarities[i] = (overlap + Math.max(0, cosine)) / 2
      })
      return bestOf(similarities, most).map((i) => prompts[i] as PastPrompt)
    },
  }
}

/** Joins a user's own past with the shared one. The own function of an identical prompt comes first. */
export function joinPasts(own: Past | undefined, shared: Past | undefined): Past | undefined {
  if (shared === undefined) return own
  const similar: Past['similar'] = (prompt, count) => own?.similar(prompt, count) ?? []
  if (own === undefined) return { ...shared, similar }
  return {
    count: own.count + shared.count,
    functions: new Set([...own.functions, ...shared.functions]),
    recall(prompt) {
      const [mine, ours] = [own.recall(prompt), shared.recall(prompt)]
      const evidence = new Map(ours.evidence)
      for (const [name, { score, similarity }] of mine.evidence) {
        const other = ours.evidence.get(name)
        evidence.set(name, { score: Math.max(score, other?.score ?? 0), similarity: Math.max(similarity, other?.similarity ?? 0) })
      }
      const best = [...evidence].sort(([, a], [, b]) => b.score - a.score)
      return { evidence: new Map(best), same: mine.same ?? ours.same }
    },
    similar,
  }
}

function readWords(text: string, vectors: Vectors) {
  const words = new Set(contentWords(text))
  const stems = new Set(Array.from(words, stem))
  const whole = Array.from(stems).reduce((sum, each) => sum + rarityOf(vectors.findStem(each)), 0)
  return { stems, whole, cells: Int8Array.from(embed(vectors, words), (x) => Math.max(-127, Math.min(127, Math.round(x * STEPS)))) }
}

/** Keeps the NEAREST highest scores of each function, in descending order. */
function putNearest(scores: Float32Array, number: number, score: number): void {
  const start = number * NEAREST
  for (let at = start, rest = score; at < start + NEAREST; at++) {
    const there = scores[at] as number
    if (rest <= there) continue
    scores[at] = rest
    rest = there
  }
}

function strength(scores: Float32Array, number: number): number {
  let sum = 0
  for (let k = 0; k < NEAREST; k++) sum += (scores[number * NEAREST + k] as number) * 0.5 ** k
  return sum / 1.5
}

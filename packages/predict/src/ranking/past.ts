import { embed } from '../words/embed.ts'
import { stem } from '../words/stem.ts'
import { product, type Vectors } from '../words/vectors.ts'
import { contentWords } from '../words/words.ts'
import { bestOf } from './best-of.ts'
import type { English } from './english.ts'
import { inSlices } from './in-slices.ts'
import type { Knowledge } from './knowledge.ts'
import { pastWords } from './past-words.ts'
import { rarityOf } from './vocabulary.ts'
import { openWordOdds } from './word-odds.ts'

/** A prompt whose predicted function was then called. `prompt` is what `pastWords` left of it. */
export type PastPrompt = {
  readonly prompt: string
  /** The function's name. */
  readonly function: string
  /** 0 to 1: how unsure of the function the prediction was. What was sure anyway teaches little. */
  readonly doubt: number
}

/** What speaks for a function. */
type Evidence = {
  /** What to add to its score. */
  readonly worth: number
  /** 0 to 1: how like its nearest past prompt is. */
  readonly likeness: number
}

/** What past prompts say to a new one. */
type Recalled = {
  /** By function name, what is worth most first. */
  readonly evidence: ReadonlyMap<string, Evidence>
  /** The function of the very same prompt, the newest one; undefined when there is none. */
  readonly same: string | undefined
}

/** The past prompts of an application. */
export type Past = {
  readonly count: number
  /** The names of the functions that they are for. */
  readonly functions: ReadonlySet<string>
  recall(prompt: string): Recalled
}

/** What shared words are worth, and a like meaning, above a cosine that any two prompts may have. */
const WORDS = 8
const MEANING = 6
const ANY_COSINE = 0.3
/** What it is worth that a function's prompts have the words more often than all others do, sure or not. */
const ODDS = 0.5
/** About what like prompts can add up to: a long prompt has many words. */
const MOST_ODDS = 15
/** The nearest prompt of a function counts whole, each next one half of that before. */
const NEAREST = 4
/** What was sure anyway speaks for its function a little. */
const LEAST_DOUBT = 0.05
/** So many functions are spoken for at most. */
const SPOKEN_FOR = 50
/** As in `buildMeaning`. */
const STEPS = 127 / 0.45

/** `prompts` are the newest first. Yields to the event loop while it builds. */
export async function buildPast(prompts: readonly PastPrompt[], { english }: Knowledge): Promise<Past> {
  return await inSlices(build(prompts, english))
}

function* build(prompts: readonly PastPrompt[], { vectors }: English): Generator<void, Past> {
  const { dims } = vectors
  const count = prompts.length
  const names = [...new Set(prompts.map((past) => past.function))]
  const numbers = new Map(names.map((name, number) => [name, number]))
  const functions = Uint32Array.from(prompts, (past) => numbers.get(past.function) as number)
  const doubts = Float32Array.from(prompts, ({ doubt }) => Math.max(LEAST_DOUBT, doubt))
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

  /** What of the prompt's words each past prompt has, by their rarity. */
  function sharedWith(stems: ReadonlySet<string>): Float32Array {
    const shared = new Float32Array(count)
    for (const each of stems) {
      const rarity = rarityOf(vectors.findStem(each))
      for (const i of postings.get(each) ?? []) (shared[i] as number) += rarity
    }
    return shared
  }

  function evidenceFor(text: string): Map<string, Evidence> {
    const asked = readWords(text, vectors)
    const shared = sharedWith(asked.stems)
    const worths = new Float32Array(names.length * NEAREST)
    const likenesses = new Float32Array(names.length)
    for (let i = 0; i < count; i++) {
      const cosine = product(cells, i * dims, asked.cells, 0, dims) / (STEPS * STEPS)
      const overlap = (shared[i] as number) / Math.sqrt((wholes[i] as number) * asked.whole || 1)
      if (overlap === 0 && cosine <= ANY_COSINE) continue
      const number = functions[i] as number
      const likeness = (overlap + Math.max(0, cosine)) / 2
      if (likeness > (likenesses[number] as number)) likenesses[number] = likeness
      putNearest(worths, number, (doubts[i] as number) * (WORDS * overlap + MEANING * Math.max(0, cosine - ANY_COSINE)))
    }
    const odds = oddsFor(asked.stems)
    const sums = Float32Array.from(names, (_, number) => strength(worths, number) + Math.min(MOST_ODDS, ODDS * (odds[number] as number)))
    const best = bestOf(sums, SPOKEN_FOR)
    return new Map(
      best.map((number) => [names[number] as string, { worth: sums[number] as number, likeness: likenesses[number] as number }]),
    )
  }

  return {
    count,
    functions: new Set(names),
    recall(prompt) {
      const text = pastWords(prompt)
      return { evidence: evidenceFor(text), same: text === '' ? undefined : same.get(text) }
    },
  }
}

function readWords(text: string, vectors: Vectors) {
  const words = new Set(contentWords(text))
  const stems = new Set(Array.from(words, stem))
  const whole = Array.from(stems).reduce((sum, each) => sum + rarityOf(vectors.findStem(each)), 0)
  return { stems, whole, cells: Int8Array.from(embed(vectors, words), (x) => Math.max(-127, Math.min(127, Math.round(x * STEPS)))) }
}

/** Keeps the highest of each function, the highest first. */
function putNearest(worths: Float32Array, number: number, worth: number): void {
  const start = number * NEAREST
  for (let at = start, rest = worth; at < start + NEAREST; at++) {
    const there = worths[at] as number
    if (rest <= there) continue
    worths[at] = rest
    rest = there
  }
}

function strength(worths: Float32Array, number: number): number {
  let sum = 0
  for (let k = 0; k < NEAREST; k++) sum += (worths[number * NEAREST + k] as number) * 0.5 ** k
  return sum / 1.5
}

import { product } from '../words/vectors.ts'
import type { Index } from './build-index.ts'
import { SAME_DIRECTION } from './encoder.ts'
import type { Query } from './query.ts'

/** The scores that are computed for each function of the catalog. */
export const LISTS = ['words', 'bare', 'title', 'description', 'parameters', 'concepts', 'meaning', 'sentence'] as const
type List = (typeof LISTS)[number]

/** How many of the best functions by each score become candidates. */
const WIDTHS: readonly (readonly [List, number])[] = [
  ['words', 25],
  ['bare', 16],
  ['meaning', 12],
  ['concepts', 12],
  ['sentence', 10],
]

/** How many functions of the apps that the prompt names become candidates. */
const NAMED_WIDTH = 10
/**
 * How much the encoder, the most similar text, and the learnt weights count for a function with phrasings. `named` and `connected` are added
 * for an app that the prompt names, and for a connected app when the prompt names no other app.
 */
export const TYPED = { base: 0, encoder: 16.7, neighbour: 6, learnt: 0.3, named: 7, connected: 6 }

/** How many functions become candidates by what people type for them: of all apps, and of connected apps. */
const TYPED_WIDTH = 20

export type Retrieved = {
  /** By function number; valid until the next call. `encoder` and `neighbour` are cosines. */
  readonly scores: Readonly<Record<List | 'encoder' | 'neighbour', Float32Array>>
  /** The numbers of about 60 functions in ascending order, and of about 60 wanted ones if there are others. */
  readonly pool: readonly number[]
}

export type Retrieve = (query: Query, connected?: (app: string) => boolean, wanted?: (number: number) => boolean) => Retrieved

/** The scores are reused memory: allocating 40 KB lists for each prompt would burden the garbage collector. */
export function openRetrieval(index: Index): Retrieve {
  const list = () => new Float32Array(index.functions.length)
  const scores = Object.fromEntries(LISTS.map((name) => [name, list()])) as Record<List, Float32Array>
  const [one, encoder, neighbour, typed] = [list(), list(), list(), list()]
  return (query, connected = () => false, wanted = undefined) => {
    for (const name of LISTS) scores[name].fill(0)
    index.words.add(query.bare, scores.bare)
    scores.words.set(scores.bare)
    index.words.add(query.onlyInValues, scores.words)
    index.words.addBest(query.sentences, scores.sentence, one)
    index.title.add(query.terms, scores.title)
    index.description.add(query.terms, scores.description)
    index.parameters.add(query.terms, scores.parameters)
    index.concepts.add(query.concepts, scores.concepts)
    const text = index.meaning.read(query.words)
    if (text !== undefined) index.meaning.guess(text, scores.meaning)
    index.neighbours.score(query.typed, neighbour)
    const dims = query.direction.length
    for (let i = 0; i < encoder.length; i++) {
      encoder[i] = product(index.directions, i * dims, query.direction, 0, dims) / SAME_DIRECTION
      const near = index.known[i] || index.phrased[i] ? TYPED.neighbour * (neighbour[i] as number) : 0
      typed[i] = index.known[i] ? TYPED.encoder * (encoder[i] as number) + near : near
    }
    const widths = [...WIDTHS.map(([name, width]) => [scores[name], width] as const), [typed, TYPED_WIDTH] as const]
    const pool = new Set(widths.flatMap(([each, width]) => bestOf(each, width)))
    const ofNamed = [...query.apps].flatMap((app) => index.named.functions(app))
    const own = (i: number) => (index.known[i] ? typed[i] : scores.bare[i]) as number
    const nearest = ofNamed.sort((a, b) => own(b) - own(a) || a - b)
    for (const i of nearest.slice(0, NAMED_WIDTH)) pool.add(i)
    for (const app of index.named.apps) {
      if (connected(app)) for (const i of index.named.functions(app)) one[i] = own(i)
    }
    for (const i of bestOf(one, TYPED_WIDTH)) pool.add(i)
    one.fill(0)
    if (wanted !== undefined) {
      const allowed = [...one.keys()].filter(wanted)
      for (const [each, width] of widths) {
        for (const i of allowed) one[i] = each[i] as number
        for (const i of bestOf(one, width)) pool.add(i)
      }
      one.fill(0)
    }
    if (text !== undefined) for (const i of pool) scores.meaning[i] = index.meaning.cosine(text, i)
    return { scores: { ...scores, encoder, neighbour }, pool: [...pool].sort((a, b) => a - b) }
  }
}

/** Returns the indexes of the highest positive scores, best first. On a tie the lower index comes first. */
export function bestOf(scores: Float32Array, width: number): number[] {
  const kept: number[] = []
  let cutoff = 0
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number
    if (score <= cutoff) continue
    let at = kept.length
    while (at > 0 && (scores[kept[at - 1] as number] as number) < score) at--
    kept.splice(at, 0, i)
    if (kept.length > width) kept.pop()
    if (kept.length === width) cutoff = scores[kept[width - 1] as number] as number
  }
  return kept
}

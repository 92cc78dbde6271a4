import type { Index } from './build-index.ts'
import { LEARNT_FEATURES, type Row } from './features.ts'
import type { Rankable } from './function-text.ts'
import type { Query } from './query.ts'
import { TYPED } from './retrieve.ts'

/** A candidate. `share` is its softmax probability among all candidates. */
export type Candidate = {
  readonly number: number
  readonly score: number
  readonly share: number
  readonly row: Row
  /** Whether the prompt names the app of the function. */
  readonly named: boolean
}

/** A prompt with the numbers of its candidates, and a row of `FEATURES` for each. */
export type CandidateRows = { readonly query: Query; readonly pool: readonly number[]; readonly rows: readonly Row[] }

/**
 * The encoder knows nothing of functions without phrasings. `base` is the median difference between the best scores of the built-in functions
 * with and without their phrasings. The learnt score counts the name of an app already, so `named` adds little: with 7, sets of imported functions
 * lost up to .027 of recall@1.
 */
const UNTYPED: typeof TYPED = { base: 7.3, encoder: 0, neighbour: 0, learnt: 1, named: 1, connected: 6 }

/**
 * For functions with phrasings that a model wrote. With a third of the built-in apps left out of the encoder's training, recall@1
 * of the prompts for these apps rose from .467 and .490 to .547 and .552 when they had six phrasings each, and for the other prompts by .03.
 */
const PHRASED: typeof TYPED = { ...UNTYPED, base: 3, neighbour: 15 }

/** Returns how much each score of a function counts. */
function mixOf({ known, phrased }: Index, number: number): typeof TYPED {
  if (known[number]) return TYPED
  return phrased[number] ? PHRASED : UNTYPED
}

/** The places of the encoder's cosine and of the most similar text's cosine in a row. */
const ENCODER = LEARNT_FEATURES.length
export const NEIGHBOUR = ENCODER + 1

/** Returns the candidates, best first. `extra` is added to the learnt score. */
export function order(
  index: Index,
  weights: readonly number[],
  { query, pool, rows }: CandidateRows,
  extra: (number: number) => number = () => 0,
): Candidate[] {
  const scored = pool.map((number, at) => {
    const row = rows[at] as Row
    const named = query.apps.has(index.functions[number]?.app.name ?? '')
    const mix = mixOf(index, number)
    let sum = 0
    for (let k = 0; k < ENCODER; k++) sum += (weights[k] as number) * (row[k] as number)
    const typed = mix.encoder * (row[ENCODER] as number) + mix.neighbour * (row[NEIGHBOUR] as number)
    const score = mix.base + extra(number) + (named ? mix.named : 0) + mix.learnt * sum + typed
    return { number, score, row, named }
  })
  return bestFirst(scored)
}

/** Sorts candidates by score, and computes the share of each. */
export function bestFirst(scored: readonly Omit<Candidate, 'share'>[]): Candidate[] {
  const most = Math.max(...scored.map(({ score }) => score))
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - most), 0)
  return scored
    .map((each) => ({ ...each, share: Math.exp(each.score - most) / total }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
}

/**
 * The penalty of a passthrough function: users who need a raw request ask for it, so it must not win when no other function of the app fits.
 */
const PASSTHROUGH = -3

/** Returns what is added to the score of a function, at least `least`, for the apps that the user has connected. */
export function preference(index: Index, number: number, query: Query, connected: (app: string) => boolean, least = 0): number {
  const fn = index.functions[number] as Rankable
  const preferred = connected(fn.app.name) && isMeant(fn, query) ? mixOf(index, number).connected : 0
  return Math.max(preferred, least) + (fn.type === 'PASSTHROUGH' ? PASSTHROUGH : 0)
}

/** Returns whether the prompt names the app of a function, or no app. */
export function isMeant({ app }: Rankable, { apps }: Query): boolean {
  return apps.size === 0 || apps.has(app.name)
}

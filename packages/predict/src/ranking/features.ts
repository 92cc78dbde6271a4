import { READS } from '../words/word-groups.ts'
import type { Bag } from './bm25.ts'
import type { Index } from './build-index.ts'
import type { FunctionText } from './function-text.ts'
import { matchWords } from './match-words.ts'
import type { Query } from './query.ts'
import { LISTS, type Retrieved } from './retrieve.ts'

/** Scores that become a ratio to the best score of the pool. */
const RATIOS = [...LISTS, 'soft'] as const
/** Scores that also become a z-score: how far a function stands out of the pool. */
const SPREADS = ['words', 'meaning', 'soft'] as const
/** Features of the function alone. */
const OWN = [
  'titleCovered',
  'descriptionCovered',
  'promptCovered',
  'rarest',
  'verb',
  'reads',
  'required',
  'titleMissed',
  'wholeTitle',
  'parametersCovered',
  'titleForm',
] as const

/** Features of the word vectors. */
const MATCHES = ['softCovered', 'cosine'] as const

/** What people type for the function: the cosine of the encoder, and of the most similar text. */
const TYPED_FEATURES = ['encoder', 'neighbour'] as const

/** The features with learnt weights. */
export const LEARNT_FEATURES = [
  ...RATIOS.map((name) => `${name}/best` as const),
  ...SPREADS.map((name) => `${name}/z` as const),
  ...OWN,
  ...MATCHES,
]

/** The features from which the ranker computes the score of a function for a prompt. */
export const FEATURES = [...LEARNT_FEATURES, ...TYPED_FEATURES]
export type Feature = (typeof FEATURES)[number]

/** The values of FEATURES in their order. */
export type Row = Float32Array

/** Returns a row of features for each function of the pool. */
export function featuresOf(index: Index, query: Query, { scores, pool }: Retrieved): Row[] {
  const matches = matchWords(index, query, pool)
  const soft = Float32Array.from(matches, ({ score }) => score)
  const columnOf = (name: (typeof RATIOS)[number]) => (name === 'soft' ? soft : Float32Array.from(pool, (i) => scores[name][i] as number))
  const columns = RATIOS.map(columnOf)
  const most = columns.map((column) => Math.max(1e-6, ...column))
  const spreads = SPREADS.map((name) => spreadOf(columns[RATIOS.indexOf(name)] as Float32Array))
  const asked = new Set(query.terms)
  return pool.map((i, at) => {
    const row = new Float32Array(FEATURES.length)
    let next = 0
    for (const [k, column] of columns.entries()) row[next++] = (column[at] as number) / (most[k] as number)
    for (const { column, mean, deviation } of spreads) row[next++] = Math.max(-4, Math.min(4, ((column[at] as number) - mean) / deviation))
    const direct = directOf(index, query, asked, i)
    for (const name of OWN) row[next++] = direct[name]
    row[next++] = matches[at]?.coverage ?? 0
    row[next++] = scores.meaning[i] as number
    for (const name of TYPED_FEATURES) row[next++] = scores[name][i] as number
    return row
  })
}

/** An idf that few words exceed; it scales features to about 0 to 1. */
const HIGH_IDF = 9

function directOf(index: Index, query: Query, asked: ReadonlySet<number>, i: number) {
  const { words, title, titleWords, description, named, required, verbs } = index.texts[i] as Index['texts'][number]
  const own = weigh(index, asked, words.terms)
  const ofTitle = weigh(index, asked, title.terms)
  return {
    titleCovered: ofTitle.covered,
    descriptionCovered: weigh(index, asked, description.terms).covered,
    promptCovered: own.hit / (query.idfSum || 1),
    rarest: own.rarestHit / HIGH_IDF,
    verb: verbs === 0 ? 0 : (verbs & query.verbs) !== 0 ? 1 : -1,
    reads: (verbs & READS) === 0 ? 0 : query.asks ? 1 : -1,
    required: required.length === 0 ? 0 : required.filter((terms) => terms.every((term) => asked.has(term))).length / required.length,
    titleMissed: ofTitle.rarestMissed / HIGH_IDF,
    wholeTitle: ofTitle.covered > 0.999 ? 1 : 0,
    parametersCovered: weigh(index, asked, named).covered,
    titleForm: sameForm(query, asked, titleWords),
  }
}

/** Whether the prompt has the words of the title in the same form, singular or plural. */
function sameForm(query: Query, asked: ReadonlySet<number>, titleWords: FunctionText['titleWords']): number {
  let sum = 0
  for (const { word, term } of titleWords) if (asked.has(term)) sum += query.forms.has(word) ? 1 : -1
  return sum / (titleWords.length || 1)
}

/** Sums up the idf of the terms that the prompt contains. */
function weigh({ words }: Index, asked: ReadonlySet<number>, terms: Bag['terms']) {
  let [sum, hit, rarestHit, rarestMissed] = [0, 0, 0, 0]
  for (const term of terms) {
    const idf = words.idf(term)
    sum += idf
    if (asked.has(term)) {
      hit += idf
      rarestHit = Math.max(rarestHit, idf)
    } else rarestMissed = Math.max(rarestMissed, idf)
  }
  return { covered: sum === 0 ? 0 : hit / sum, hit, rarestHit, rarestMissed }
}

function spreadOf(column: Float32Array) {
  const mean = column.reduce((sum, x) => sum + x, 0) / column.length
  const deviation = Math.sqrt(column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / column.length) || 1
  return { column, mean, deviation }
}

import type { Index } from './build-index.ts'
import { FEATURES, type Feature } from './features.ts'
import type { Candidate } from './order.ts'
import type { Query } from './query.ts'

/** Logistic regression: 1 / (1 + e^-(bias + weights · features)). */
export type Logistic = { readonly bias: number; readonly weights: readonly number[] }

/** The features that tell whether the best candidate is right, and whether any function fits. */
export const CONFIDENCE_FEATURES = [
  'share',
  'gap',
  'promptCovered',
  'softCovered',
  'cosine',
  'titleCovered',
  'descriptionCovered',
  'rarest',
  'verb',
  'words',
  'strange',
  'named',
  'values',
  'encoder',
  'neighbour',
  'nothing',
  'product',
] as const

/** The largest gap in score between two candidates that makes a difference. */
const WIDE_GAP = 6

/** Returns the values of CONFIDENCE_FEATURES in their order, for a candidate and the best of the others. */
export function confidenceFeaturesOf({ english, known }: Index, query: Query, first: Candidate, second: Candidate | undefined): number[] {
  const feature = (name: Feature) => first.row[FEATURES.indexOf(name)] as number
  const strange = query.words.filter((word) => english.vectors.find(word) < 0).length
  return [
    Math.log(first.share),
    second === undefined ? WIDE_GAP : Math.min(WIDE_GAP, first.score - second.score),
    feature('promptCovered'),
    feature('softCovered'),
    feature('cosine'),
    feature('titleCovered'),
    feature('descriptionCovered'),
    feature('rarest'),
    feature('verb'),
    Math.log(1 + query.words.length),
    strange / Math.max(1, query.words.length),
    first.named ? 1 : 0,
    query.hasValues ? 1 : 0,
    ...(known[first.number] ? typedFeatures(query, feature('encoder'), feature('neighbour')) : [0, 0, 0, 0]),
  ]
}

function typedFeatures({ nothing, product, apps }: Query, encoder: number, neighbour: number): number[] {
  return [encoder, neighbour, nothing.cosine - encoder, product !== undefined && apps.size === 0 ? 1 : 0]
}

/** The share of out-of-scope prompts that a catalog refuses. */
const REFUSED_SHARE = 0.9

/**
 * Returns the probability below which no function of a catalog fits. `outOfScope` holds the probabilities that out-of-scope prompts reach
 * in the catalog. Each catalog has its own cutoff, because such prompts look more similar to some catalogs than to others.
 */
export function refusalCutoff(outOfScope: readonly number[]): number {
  const ascending = [...outOfScope].sort((a, b) => a - b)
  return ascending[Math.floor(ascending.length * REFUSED_SHARE)] ?? 0
}

export function probability({ bias, weights }: Logistic, features: readonly number[]): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, value, k) => sum + (weights[k] as number) * value, bias)))
}

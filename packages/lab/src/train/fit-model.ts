import { CONFIDENCE_FEATURES, type Judge, LEARNT_FEATURES, type Logistic, type Model, type ModelFile } from '@onward/predict/training'
import { judgeSet, type Prepared, type Verdict } from './prepare-set.ts'
import { fitLogistic, fitRanker, type List, type Point } from './regression.ts'

/** Weights of sets for ranking: prompts that we wrote ourselves teach less than prompts of others. */
const RANKING: Readonly<Record<string, number>> = { builtin: 0.3, 'made-up': 0.3 }
/** Weights of sets for refusal: the made-up prompts share no words with their tools, so they teach less. */
const FITTING: Readonly<Record<string, number>> = { 'made-up': 0.3 }

/**
 * Fits a model on all sets with equal weights, however many prompts each has. The confidence estimates are fitted on sets that the ranker
 * has not seen.
 */
export function fitModel(sets: readonly Prepared[]): { readonly weights: readonly number[]; readonly untyped: Judge } {
  const verdicts = sets.map((set) => {
    const others = sets.filter((other) => other !== set)
    return judgeSet(set, fitRanker((others.length > 0 ? others : sets).flatMap(listsOf), LEARNT_FEATURES.length))
  })
  return {
    weights: fitRanker(sets.flatMap(listsOf), LEARNT_FEATURES.length).map(rounded),
    untyped: { fits: roundedLogistic(verdicts.flatMap(scopePoints)), right: roundedLogistic(verdicts.flatMap(rightPoints)) },
  }
}

function listsOf({ name, fitting }: Prepared): List[] {
  const weight = (RANKING[name] ?? 1) / fitting.length
  return fitting.map(({ rows, right }) => ({ rows: rows.map((row) => row.subarray(0, LEARNT_FEATURES.length)), right, weight }))
}

function roundedLogistic(points: readonly Point[]): Logistic {
  const { bias, weights } = fitLogistic(points, CONFIDENCE_FEATURES.length)
  return { bias: rounded(bias), weights: weights.map(rounded) }
}

function rightPoints({ name, fitting }: Verdict): Point[] {
  const weight = (FITTING[name] ?? 1) / fitting.length
  return fitting.flatMap(({ confidenceFeatures, place }) =>
    confidenceFeatures === null ? [] : { confidenceFeatures, right: place === 0, weight },
  )
}

function scopePoints({ name, fitting, outOfScope }: Verdict): Point[] {
  const weight = FITTING[name] ?? 1
  const learnt = outOfScope.filter(({ half }) => half === 'dev')
  return [
    ...fitting.flatMap(({ confidenceFeatures }) =>
      confidenceFeatures === null ? [] : { confidenceFeatures, right: true, weight: weight / fitting.length },
    ),
    ...learnt.flatMap(({ confidenceFeatures }) =>
      confidenceFeatures === null ? [] : { confidenceFeatures, right: false, weight: weight / learnt.length },
    ),
  ]
}

function rounded(x: number): number {
  return Math.round(x * 1e5) / 1e5
}

/** Returns the text of `ranker.json`. */
export function writeModel({ weights, typed, untyped }: Model): string {
  const file: ModelFile = { features: LEARNT_FEATURES, weights, confidenceFeatures: CONFIDENCE_FEATURES, typed, untyped }
  return `${JSON.stringify(file, null, 1)}\n`
}

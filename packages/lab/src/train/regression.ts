import type { Logistic, Row } from '@onward/predict/training'
import { adam } from './adam.ts'

/** The candidates of one prompt. */
export type List = { readonly rows: readonly Row[]; readonly right: readonly boolean[]; readonly weight: number }

const RANKER_PENALTY = 0.03
const RANKER_EPOCHS = 60
const RANKER_RATE = 0.06

/** Fits weights for the unscaled features by listwise softmax regression. Deterministic. Lists without a right candidate are ignored. */
export function fitRanker(lists: readonly List[], count: number): number[] {
  const { means, deviations } = columnStatistics(lists, count)
  const scaled = (row: Row) => row.map((x, k) => (x - (means[k] as number)) / (deviations[k] as number))
  const usable = lists.filter(({ right }) => right.includes(true)).map((list) => ({ ...list, rows: list.rows.map(scaled) }))
  const whole = usable.reduce((sum, { weight }) => sum + weight, 0)
  const weights = new Float64Array(count)
  const step = adam(count)
  for (let epoch = 0; epoch < RANKER_EPOCHS; epoch++) {
    const gradient = weights.map((x) => x * RANKER_PENALTY)
    for (const list of usable) addGradient(list, weights, list.weight / whole, gradient)
    step(weights, gradient, RANKER_RATE * (1 - (0.9 * epoch) / RANKER_EPOCHS))
  }
  return Array.from(weights, (weight, k) => weight / (deviations[k] as number))
}

function addGradient({ rows, right }: List, weights: Float64Array, weight: number, gradient: Float64Array): void {
  const scores = rows.map((row) => row.reduce((sum, x, k) => sum + x * (weights[k] as number), 0))
  const most = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - most))
  const total = shares.reduce((sum, x) => sum + x, 0)
  const good = shares.reduce((sum, x, i) => sum + (right[i] ? x : 0), 0)
  for (const [i, row] of rows.entries()) {
    const share = shares[i] as number
    const error = (share / total - (right[i] ? share / good : 0)) * weight
    for (let k = 0; k < gradient.length; k++) (gradient[k] as number) += error * (row[k] as number)
  }
}

export type Point = { readonly confidenceFeatures: readonly number[]; readonly right: boolean; readonly weight: number }

const LOGISTIC_PENALTY = 1e-3
const LOGISTIC_EPOCHS = 400
const LOGISTIC_RATE = 0.05

/** Fits a logistic regression on unscaled features. Deterministic. */
export function fitLogistic(points: readonly Point[], count: number): Logistic {
  const { means, deviations } = columnStatistics(
    points.map(({ confidenceFeatures, weight }) => ({ rows: [confidenceFeatures], weight })),
    count,
  )
  const whole = points.reduce((sum, { weight }) => sum + weight, 0)
  const rows = points.map(({ confidenceFeatures, right, weight }) => ({
    scaled: confidenceFeatures.map((x, k) => (x - (means[k] as number)) / (deviations[k] as number)),
    right,
    share: weight / whole,
  }))
  // The last weight is the bias.
  const weights = new Float64Array(count + 1)
  const step = adam(count + 1)
  for (let epoch = 0; epoch < LOGISTIC_EPOCHS; epoch++) {
    const gradient = weights.map((x, k) => (k < count ? x * LOGISTIC_PENALTY : 0))
    for (const { scaled, right, share } of rows) {
      const sum = scaled.reduce((all, x, k) => all + x * (weights[k] as number), weights[count] as number)
      const error = (1 / (1 + Math.exp(-sum)) - (right ? 1 : 0)) * share
      for (const [k, x] of scaled.entries()) (gradient[k] as number) += error * x
      ;(gradient[count] as number) += error
    }
    step(weights, gradient, LOGISTIC_RATE * (1 - (0.9 * epoch) / LOGISTIC_EPOCHS))
  }
  const raw = Array.from({ length: count }, (_, k) => (weights[k] as number) / (deviations[k] as number))
  return { bias: raw.reduce((bias, weight, k) => bias - weight * (means[k] as number), weights[count] as number), weights: raw }
}

type Weighed = { readonly rows: readonly ArrayLike<number>[]; readonly weight: number }

/** Returns mean and standard deviation of each column. Each list counts by its weight, however many rows it has. */
function columnStatistics(lists: readonly Weighed[], count: number): { means: Float64Array; deviations: Float64Array } {
  const fillTags = lists.filter(({ rows }) => rows.length > 0)
  const whole = fillTags.reduce((sum, { weight }) => sum + weight, 0)
  const means = average((row, k) => row[k] as number)
  const squares = average((row, k) => ((row[k] as number) - (means[k] as number)) ** 2)
  return { means, deviations: squares.map((x) => Math.sqrt(x) || 1) }

  function average(cell: (row: ArrayLike<number>, k: number) => number): Float64Array {
    const sums = new Float64Array(count)
    for (const { rows, weight } of fillTags) {
      for (const row of rows) for (let k = 0; k < count; k++) (sums[k] as number) += (weight * cell(row, k)) / rows.length / whole
    }
    return sums
  }
}

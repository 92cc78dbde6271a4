import type { Row } from '../src/ranking/features.ts'
import { adam } from './adam.ts'
import { momentsOf } from './moments.ts'

/** The candidates of one prompt. */
export type List = { readonly rows: readonly Row[]; readonly right: readonly boolean[]; readonly weight: number }

const PENALTY = 0.03
const EPOCHS = 60
const RATE = 0.06

/** Listwise softmax regression: the weights of the features as they are. Deterministic. Lists without a right candidate teach nothing. */
export function fitRanker(lists: readonly List[], count: number): number[] {
  const { means, deviations } = momentsOf(lists, count)
  const scaled = (row: Row) => row.map((x, k) => (x - (means[k] as number)) / (deviations[k] as number))
  const usable = lists.filter(({ right }) => right.includes(true)).map((list) => ({ ...list, rows: list.rows.map(scaled) }))
  const whole = usable.reduce((sum, { weight }) => sum + weight, 0)
  const weights = new Float64Array(count)
  const step = adam(count)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const gradient = weights.map((x) => x * PENALTY)
    for (const list of usable) addGradient(list, weights, list.weight / whole, gradient)
    step(weights, gradient, RATE * (1 - (0.9 * epoch) / EPOCHS))
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

import type { Logistic } from '../src/ranking/model.ts'
import { adam } from './adam.ts'
import { momentsOf } from './moments.ts'

export type Point = { readonly signs: readonly number[]; readonly right: boolean; readonly weight: number }

const PENALTY = 1e-3
const EPOCHS = 400
const RATE = 0.05

/** Logistic regression, for signs as they are. Deterministic. */
export function fitLogistic(points: readonly Point[], count: number): Logistic {
  const { means, deviations } = momentsOf(
    points.map(({ signs, weight }) => ({ rows: [signs], weight })),
    count,
  )
  const whole = points.reduce((sum, { weight }) => sum + weight, 0)
  const rows = points.map(({ signs, right, weight }) => ({
    scaled: signs.map((x, k) => (x - (means[k] as number)) / (deviations[k] as number)),
    ...{ right, share: weight / whole },
  }))
  // The bias comes last.
  const weights = new Float64Array(count + 1)
  const step = adam(count + 1)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const gradient = weights.map((x, k) => (k < count ? x * PENALTY : 0))
    for (const { scaled, right, share } of rows) {
      const sum = scaled.reduce((all, x, k) => all + x * (weights[k] as number), weights[count] as number)
      const error = (1 / (1 + Math.exp(-sum)) - (right ? 1 : 0)) * share
      for (const [k, x] of scaled.entries()) (gradient[k] as number) += error * x
      ;(gradient[count] as number) += error
    }
    step(weights, gradient, RATE * (1 - (0.9 * epoch) / EPOCHS))
  }
  const raw = Array.from({ length: count }, (_, k) => (weights[k] as number) / (deviations[k] as number))
  return { bias: raw.reduce((bias, weight, k) => bias - weight * (means[k] as number), weights[count] as number), weights: raw }
}

import { adam } from '../adam.ts'
import type { Choice } from './choices-of.ts'

const STEPS = 700
const RATE = 0.06
/** Ridge penalty: keeps rare features from learning single prompts. */
const RIDGE = 0.4

export type Lesson = { readonly choice: Choice; readonly weight: number }

/** Fits the weights of the features, so that a softmax over the pieces and the empty slot prefers the right ones. Deterministic. */
export function fitWeights(lessons: readonly Lesson[]): Record<string, number> {
  const features = [
    ...new Set(lessons.flatMap(({ choice }) => choice.pieces.flatMap((piece) => piece.features.map(([feature]) => feature)))),
  ].sort((a, b) => (a < b ? -1 : 1))
  const numbers = new Map(features.map((feature, at) => [feature, at]))
  const rows = lessons.map(({ choice, weight }) => ({
    weight,
    none: choice.none,
    pieces: choice.pieces.map((piece) => ({
      right: piece.right,
      features: piece.features.map(([feature, x]) => [numbers.get(feature) as number, x] as const),
    })),
  }))
  const values = new Float64Array(features.length)
  const step = adam(features.length)
  for (let at = 0; at < STEPS; at++) {
    const gradient = values.map((value) => RIDGE * value)
    for (const row of rows) addGradient(row, values, gradient)
    step(values, gradient, RATE)
  }
  return Object.fromEntries(
    features.map((feature, at) => [feature, Math.round((values[at] as number) * 100) / 100]).filter(([, value]) => value !== 0),
  )
}

type Row = {
  readonly weight: number
  readonly none: boolean
  readonly pieces: readonly { readonly right: boolean; readonly features: readonly (readonly [number, number])[] }[]
}

function addGradient({ weight, none, pieces }: Row, values: Float64Array, gradient: Float64Array): void {
  const odds = pieces.map((piece) =>
    Math.exp(
      Math.min(
        30,
        piece.features.reduce((sum, [feature, x]) => sum + (values[feature] as number) * x, 0),
      ),
    ),
  )
  const all = odds.reduce((sum, odd) => sum + odd, 1)
  const right = odds.reduce((sum, odd, at) => sum + (pieces[at]?.right ? odd : 0), none ? 1 : 0)
  for (const [at, piece] of pieces.entries()) {
    const odd = odds[at] as number
    const slope = weight * (odd / all - (piece.right ? odd / right : 0))
    for (const [feature, x] of piece.features) gradient[feature] = (gradient[feature] as number) + slope * x
  }
}

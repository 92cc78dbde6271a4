import type { PredictedArgument } from '../types.ts'
import type { Pair } from './pairs-of.ts'

export function argumentOf({ value, variable, score }: Pair): PredictedArgument {
  const confidence = Math.round(Math.min(0.97, 0.45 + score / 20) * 100) / 100
  return { value, origin: { from: 'variable', variable: variable.path }, confidence }
}

import { fits } from './fits.ts'
import type { Fillable, PredictedArguments } from './types.ts'

/** How likely it is that who says nothing of a required parameter means its default. */
const CONFIDENCE = 0.6

/** The defaults of required parameters. What is optional keeps its default by being left out. */
export function defaultsOf({ check, properties, required }: Fillable): PredictedArguments {
  return Object.fromEntries(
    required.flatMap((name) => {
      const value = properties[name]?.default
      if (value === undefined || !fits(check, name, structuredClone(value))) return []
      return [[name, { value: structuredClone(value), origin: { from: 'default' as const }, confidence: CONFIDENCE }]]
    }),
  )
}

import type { PredictedArguments } from '../types.ts'
import { argumentOf } from './argument-of.ts'
import type { Pair } from './pairs-of.ts'

/** By how much the prompt's own words count for more than a variable that it does not speak of. */
const SURE = 0.5
const SPOKEN = 4
const NAMED = 8

/** What there is to know about a parameter's literal. */
type Doubts = { readonly isQuoted: (parameter: string) => boolean; readonly isMisplaced: (parameter: string) => boolean }
type Settled = { readonly chosen: PredictedArguments; readonly displaced: PredictedArguments }

/**
 * Of a literal and a variable for the same parameter, the one that the prompt means. Literal text comes first, unless the prompt
 * itself says that the variable goes there or the literal is hardly more than a guess.
 */
export function settle(literals: PredictedArguments, matched: ReadonlyMap<string, Pair>, { isQuoted, isMisplaced }: Doubts): Settled {
  const isBeaten = ([parameter, { confidence }]: [string, { confidence: number }]) => {
    if (isMisplaced(parameter)) return true
    const pair = matched.get(parameter)
    if (pair === undefined) return false
    if (pair.spelled && (pair.close >= NAMED || !isQuoted(parameter))) return true
    if (pair.said >= SPOKEN && !isQuoted(parameter)) return true
    return confidence < (pair.mentioned ? argumentOf(pair).confidence : SURE)
  }
  const entries = Object.entries(literals)
  const kept = Object.fromEntries(entries.filter((entry) => !isBeaten(entry)))
  const variables = [...matched].map(([parameter, pair]) => [parameter, argumentOf(pair)] as const)
  return { chosen: { ...Object.fromEntries(variables), ...kept }, displaced: Object.fromEntries(entries.filter(isBeaten)) }
}

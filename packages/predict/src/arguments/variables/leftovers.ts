import type { Fillable, PredictedArgument, PredictedArguments } from '../types.ts'
import type { Mention } from './mentions.ts'
import { tagFor } from './tag-for.ts'
import type { Target } from './targets-of.ts'
import { ALIKE, KINDS } from './word-sets.ts'

/** A variable that the prompt speaks of, and that no parameter is named like, goes into the required parameter that is left for it. */
export function leftovers(check: Fillable['check'], open: readonly Target[], mentions: readonly Mention[]): PredictedArguments {
  const found: Record<string, PredictedArgument> = {}
  for (const { variable, by } of mentions) {
    if (by === 'owner') continue
    const able = open.filter(
      (target) =>
        target.required &&
        !Object.hasOwn(found, target.parameter) &&
        (by === 'tag' || !isId(target)) &&
        (target.wants === undefined || target.wants === variable.kind) &&
        tagFor(check, target, variable) !== undefined,
    )
    const target = able.length === 1 ? able[0] : able.find(({ words }) => words.every((word) => ALIKE[0]?.has(word)))
    if (target === undefined) continue
    found[target.parameter] = {
      value: tagFor(check, target, variable),
      origin: { from: 'variable', variable: variable.path },
      confidence: 0.6,
    }
  }
  return found
}

function isId({ words, sourced }: Target): boolean {
  return sourced || words.some((word) => KINDS.has(word) && word !== 'name')
}

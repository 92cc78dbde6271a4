import { fits } from '../fits.ts'
import type { Fillable, PredictedArgument, PredictedArguments, Variables } from '../types.ts'
import { canonical } from './canonical.ts'
import { isNoPlaceForText, quotedText } from './quoted.ts'
import { escapeTags, filled } from './tags.ts'
import type { Target } from './targets-of.ts'
import { ALIKE } from './word-sets.ts'

const NEAR = 40

/** Quoted texts whose parameter a variable took go into the open one that is named before them, or the one that is required. */
export function rehouse(
  check: Fillable['check'],
  open: readonly Target[],
  texts: readonly PredictedArgument[],
  prompt: string,
  variables: Variables,
): PredictedArguments {
  const found: Record<string, PredictedArgument> = {}
  for (const text of texts) {
    if (text.origin.from !== 'prompt') continue
    const [start] = text.origin.span
    const ahead = canonical(prompt.slice(Math.max(0, start - NEAR), start))
    const value = escapeTags(quotedText(text, prompt), variables)
    const able = open.filter(
      (target) =>
        !isNoPlaceForText(target) && !Object.hasOwn(found, target.parameter) && fits(check, target.parameter, filled(value, variables)),
    )
    const required = able.filter((target) => target.required)
    const target =
      able.find(({ words }) => words.every((word) => ahead.includes(word))) ??
      required.find(({ words }) => words.every((word) => ALIKE[0]?.has(word))) ??
      (required.length === 1 ? required[0] : undefined)
    if (target !== undefined) found[target.parameter] = { ...text, value, confidence: Math.min(text.confidence, 0.6) }
  }
  return found
}

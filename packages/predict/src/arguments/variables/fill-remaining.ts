import type { Steps } from '../../in-slices.ts'
import { type Fillable, fits, type PredictedArgument, type PredictedArguments, type Variables } from '../types.ts'
import { affinity } from './affinity.ts'
import { canonical } from './canonical.ts'
import type { Mention } from './mentions.ts'
import { quotedText, rejectsText } from './quotes.ts'
import { escapeTags, fillTags, tagFor } from './tags.ts'
import type { Target } from './targets-of.ts'
import type { Variable } from './variables-of.ts'
import { KINDS, PERSONS, TEXTS } from './word-sets.ts'

const REACH = 40

/**
 * Finds another parameter for each quoted text whose parameter was filled with a variable: the unfilled parameter that is named before the
 * quote, or the required one.
 */
export function reassignQuotes(
  check: Fillable['check'],
  unfilled: readonly Target[],
  texts: readonly PredictedArgument[],
  prompt: string,
  variables: Variables,
): PredictedArguments {
  const found: Record<string, PredictedArgument> = {}
  for (const text of texts) {
    if (text.origin.from !== 'prompt') continue
    const [start] = text.origin.span
    const ahead = canonical(prompt.slice(Math.max(0, start - REACH), start))
    const value = escapeTags(quotedText(text, prompt), variables)
    const candidates = unfilled.filter(
      (target) =>
        !rejectsText(target) && !Object.hasOwn(found, target.parameter) && fits(check, target.parameter, fillTags(value, variables)),
    )
    const required = candidates.filter((target) => target.required)
    const target =
      candidates.find(({ words }) => words.every((word) => ahead.includes(word))) ??
      required.find(({ words }) => words.every((word) => TEXTS.has(word))) ??
      (required.length === 1 ? required[0] : undefined)
    if (target !== undefined) found[target.parameter] = { ...text, value, confidence: Math.min(text.confidence, 0.6) }
  }
  return found
}

/** Finds a parameter for mentioned variables that match no name: the only required parameter that can hold the value. */
export function* assignUnusedMentions(
  check: Fillable['check'],
  unfilled: readonly Target[],
  mentions: readonly Mention[],
): Steps<PredictedArguments> {
  const found: Record<string, PredictedArgument> = {}
  for (const { variable, by } of mentions) {
    yield
    if (by === 'owner') continue
    const candidates = unfilled.filter(
      (target) =>
        target.required &&
        !Object.hasOwn(found, target.parameter) &&
        (by === 'tag' || !isId(target)) &&
        (target.expectedKind === undefined || target.expectedKind === variable.kind) &&
        tagFor(check, target, variable) !== undefined,
    )
    const target = candidates.length === 1 ? candidates[0] : candidates.find(({ words }) => words.every((word) => TEXTS.has(word)))
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

/** Fills a full name from a variable with the first name and one with the last name. */
export function joinFullNames(
  check: Fillable['check'],
  unfilled: readonly Target[],
  variables: readonly Variable[],
  title: readonly string[],
): PredictedArguments {
  const found: Record<string, PredictedArgument> = {}
  const named = (name: string) => variables.filter(({ last, value }) => typeof value === 'string' && last.join(' ') === name)
  const [firsts, lasts] = [named('first name'), named('last name')]
  for (const target of unfilled.filter(isWholeName)) {
    const pairs = firsts.flatMap((first) => {
      const last = lasts.find((other) => prefixOf(other) === prefixOf(first))
      const asName = { ...first, last: target.words, words: [...first.owner, ...target.words], kind: undefined }
      return last !== undefined && affinity(asName, target, title, false) >= 6 ? [{ first, last }] : []
    })
    const [pair] = pairs
    if (pairs.length !== 1 || pair === undefined || !fits(check, target.parameter, `${pair.first.value} ${pair.last.value}`)) continue
    const variable = pair.first.path
    found[target.parameter] = {
      value: `{${variable}} {${pair.last.path}}`,
      origin: { from: 'variable', variable, variables: [variable, pair.last.path] },
      confidence: 0.8,
    }
  }
  return found
}

function isWholeName({ words, head, schema }: Target): boolean {
  return words.join(' ') === 'name' && (/full name/i.test(schema.description ?? '') || head.some((word) => PERSONS.has(word)))
}

function prefixOf({ path }: Variable): string {
  return path.slice(0, path.lastIndexOf('.') + 1)
}

import type { PredictedArgument } from '../types.ts'
import type { Mention } from './mentions.ts'
import type { Target } from './targets-of.ts'
import { KINDS } from './word-sets.ts'

const OPENING = /["'“‘«`]/

/** Whether an argument comes from a quote in the prompt. */
export function isQuoted(argument: PredictedArgument | undefined, prompt: string): boolean {
  if (argument?.origin.from !== 'prompt') return false
  const [start] = argument.origin.span
  return OPENING.test(prompt.slice(Math.max(0, start - 1), start + 1))
}

/** Returns the text of an argument without its quotation marks. */
export function quotedText(argument: PredictedArgument, prompt: string): string {
  if (argument.origin.from !== 'prompt') return ''
  const [start, end] = argument.origin.span
  return prompt.slice(start, end).replace(/^["'“‘«`]|["'”’»`]$/g, '')
}

/** Whether a parameter cannot hold a sentence, because it holds an id, an address, a date or the like. */
export function rejectsText({ expectedKind, sourced, words }: Target): boolean {
  return expectedKind !== undefined || sourced || words.some((word) => KINDS.has(word) && word !== 'name')
}

const THEN = /^\s*,?\s*(?:(?:and\s+)?(?:then|followed by|plus)|\+)\s+(?:(?:the|its|their|his|her)\s+)?$/i

/** A quote that is joined with a variable is almost certainly a value. */
const JOINED_CONFIDENCE = 0.9

/** Joins a quoted text with the variable before or after it: "'Order ' followed by the order id". */
export function joinParts(argument: PredictedArgument, prompt: string, mentions: readonly Mention[]): PredictedArgument {
  const { origin, value } = argument
  if (origin.from !== 'prompt' || typeof value !== 'string') return argument
  const [start, end] = origin.span
  const after = mentions.find((mention) => mention.by !== 'owner' && mention.start >= end && THEN.test(prompt.slice(end, mention.start)))
  const before = mentions.find((mention) => mention.by !== 'owner' && mention.end <= start && THEN.test(prompt.slice(mention.end, start)))
  if (after === undefined && before === undefined) return argument
  const span = [before?.start ?? start, after?.end ?? end] as const
  const text = quotedText(argument, prompt)
  return {
    ...argument,
    value: `${tagOf(before)}${text}${tagOf(after)}`,
    origin: { from: 'prompt', span },
    confidence: Math.max(JOINED_CONFIDENCE, argument.confidence),
  }
}

function tagOf(mention: Mention | undefined): string {
  return mention === undefined ? '' : `{${mention.variable.path}}`
}

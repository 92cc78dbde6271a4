import type { PredictedArgument } from '../types.ts'
import type { Target } from './targets-of.ts'
import { KINDS } from './word-sets.ts'

const OPENING = /["'“‘«`]/

/** Whether an argument is text that the prompt has in quotes. */
export function isQuoted(argument: PredictedArgument | undefined, prompt: string): boolean {
  if (argument?.origin.from !== 'prompt') return false
  const [start] = argument.origin.span
  return OPENING.test(prompt.slice(Math.max(0, start - 1), start + 1))
}

/** The text within the quotes that an argument is from. */
export function quotedText(argument: PredictedArgument, prompt: string): string {
  if (argument.origin.from !== 'prompt') return ''
  const [start, end] = argument.origin.span
  return prompt.slice(start, end).replace(/^["'“‘«`]|["'”’»`]$/g, '')
}

/** Whether a parameter can't be meant to have a sentence in it: it has an id, an address, a date or the like. */
export function isNoPlaceForText({ wants, sourced, words }: Target): boolean {
  return wants !== undefined || sourced || words.some((word) => KINDS.has(word) && word !== 'name')
}

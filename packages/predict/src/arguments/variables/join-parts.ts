import type { PredictedArgument } from '../types.ts'
import type { Mention } from './mentions.ts'
import { quotedText } from './quoted.ts'

const THEN = /^\s*,?\s*(?:(?:and\s+)?(?:then|followed by|plus)|\+)\s+(?:(?:the|its|their|his|her)\s+)?$/i

/** Nothing but a value is put together so. */
const JOINED = 0.9

/** "'Order ' followed by the order id": a quoted text with a variable after it, or one before it. */
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
    confidence: Math.max(JOINED, argument.confidence),
  }
}

function tagOf(mention: Mention | undefined): string {
  return mention === undefined ? '' : `{${mention.variable.path}}`
}

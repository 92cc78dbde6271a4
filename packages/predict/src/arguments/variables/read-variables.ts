import type { Steps } from '../../in-slices.ts'
import type { Piece } from '../find/piece.ts'
import { cutPrompt } from '../find/prompt.ts'
import type { ArgumentInput, Variables } from '../types.ts'
import { type Mention, mentionsOf } from './mentions.ts'
import { tagSpans } from './tags.ts'
import { type Variable, variablesOf } from './variables-of.ts'

/** The variables that were sent, and where the prompt mentions them. */
export type ReadVariables = {
  readonly sent: Variables
  readonly variables: readonly Variable[]
  readonly mentions: readonly Mention[]
  readonly mentionsByVariable: ReadonlyMap<Variable, readonly Mention[]>
}

const known = new WeakMap<object, ReadVariables>()

/** Reads the variables. The result is cached by input, because a prediction may fill many functions. */
export function* readVariables(input: ArgumentInput, sent: Variables): Steps<ReadVariables> {
  const before = known.get(input)
  if (before !== undefined) return before
  const variables = yield* variablesOf(sent)
  const mentions = yield* mentionsOf(cutPrompt(input.prompt ?? ''), variables)
  const mentionsByVariable = new Map<Variable, readonly Mention[]>()
  for (const variable of variables) {
    yield
    mentionsByVariable.set(
      variable,
      mentions.filter((mention) => isOf(mention, variable)),
    )
  }
  const read = { sent, variables, mentions, mentionsByVariable }
  known.set(input, read)
  return read
}

/** Whether a mention names the variable, or the object that contains it. */
function isOf({ by, variable: mentioned }: Mention, variable: Variable): boolean {
  return mentioned === variable || (by === 'owner' && variable.path.startsWith(`${mentioned.path}.`))
}

const OPENING = /["'“‘«`]/
const THEN = /^\s*,?\s*(?:(?:and\s+)?(?:then|followed by|plus)|\+)\s+(?:(?:the|its|their|his|her)\s+)?$/i

/**
 * Returns a piece of the prompt beside variables, or undefined when it only mentions a variable or cuts a tag. Joins a quote with the
 * variable before or after it: "'Order ' followed by the order id".
 */
export function besideVariables(piece: Piece, prompt: string, mentions: readonly Mention[]): Piece | undefined {
  const { kind, start, end } = piece
  const cutsTag = tagSpans(prompt).some((tag) => [start, end].some((edge) => edge > tag.start && edge < tag.end))
  if (kind === 'tag' || cutsTag) return undefined
  if (!OPENING.test(prompt.slice(Math.max(0, start - 1), start + 1)))
    return mentions.some((each) => isMention(piece, each)) ? undefined : piece
  if (kind !== 'quoted') return piece
  const after = mentions.find((each) => each.by !== 'owner' && each.start >= end && THEN.test(prompt.slice(end, each.start)))
  const before = mentions.find((each) => each.by !== 'owner' && each.end <= start && THEN.test(prompt.slice(each.end, start)))
  if (after === undefined && before === undefined) return piece
  const inside = prompt.slice(start + 1, end - 1)
  const text = `${before?.variable.tag ?? ''}${inside}${after?.variable.tag ?? ''}`
  return { ...piece, text, start: before?.start ?? start, end: after?.end ?? end }
}

/** Whether the mention covers at least half of the piece. A longer text that contains a tag is a value of its own. */
function isMention({ start: from, end: to }: Piece, { start, end }: Mention): boolean {
  return start < to && end > from && (Math.min(end, to) - Math.max(start, from)) * 2 >= to - from
}

import type { Steps } from '../../in-slices.ts'
import { cutPrompt } from '../find/prompt.ts'
import type { ArgumentInput, Fillable, PredictedArgument, PredictedArguments, Variables } from '../types.ts'
import { canonical } from './canonical.ts'
import { assignUnusedMentions, joinFullNames, reassignQuotes } from './fill-remaining.ts'
import { argumentOf, matchVariables, type Pair } from './match-variables.ts'
import { type Mention, mentionsOf } from './mentions.ts'
import { isQuoted, joinParts, quotedText, rejectsText } from './quotes.ts'
import { keepTags, tagSpans } from './tags.ts'
import { type Target, targetsOf } from './targets-of.ts'
import { type Variable, variablesOf } from './variables-of.ts'

/** Adds arguments from variables to those from the prompt (`fromPrompt`). */
export function* withVariables(
  fillable: Fillable,
  input: Pick<ArgumentInput, 'prompt'>,
  sent: Variables,
  fromPrompt: PredictedArguments,
): Steps<PredictedArguments> {
  const { check } = fillable
  const text = input.prompt ?? ''
  const { variables, mentions, mentionsByVariable } = yield* readVariables(input, sent)
  const title = canonical(fillable.title ?? fillable.about)
  const targets = targetsOf(fillable)
  yield
  const literals = keepTags(check, withoutMentions(fromPrompt, text, mentions), sent)
  yield
  const matched = yield* matchVariables({ check, targets, variables, mentions: mentionsByVariable, title, prompted: input.prompt !== null })
  const { chosen, displaced } = resolveConflicts(literals, matched, {
    isQuoted: (parameter) => isQuoted(literals[parameter], text),
    isMisplaced: (parameter) =>
      isMisplaced(
        literals[parameter],
        text,
        targets.find((target) => target.parameter === parameter),
      ),
  })

  const unfilled = (args: PredictedArguments) => targets.filter(({ parameter }) => !Object.hasOwn(args, parameter))
  const texts = Object.values(displaced).filter((argument) => isQuoted(argument, text))
  yield
  const reassigned = { ...reassignQuotes(check, unfilled(chosen), texts, text, sent), ...chosen }
  const unused = mentions.filter((mention) => !isUsed(mention, reassigned))
  const assigned = yield* assignUnusedMentions(check, unfilled(reassigned), unused)
  const all = { ...assigned, ...reassigned }
  yield
  return { ...joinFullNames(check, unfilled(all), variables, title), ...all }
}

type Reading = {
  readonly variables: readonly Variable[]
  readonly mentions: readonly Mention[]
  readonly mentionsByVariable: ReadonlyMap<Variable, readonly Mention[]>
}

const readings = new WeakMap<object, Reading>()

/** Reads the variables and where the prompt mentions them. The result is cached by input, because a prediction may fill many functions. */
function* readVariables(input: Pick<ArgumentInput, 'prompt'>, sent: Variables): Steps<Reading> {
  const before = readings.get(input)
  if (before !== undefined) return before
  const variables = yield* variablesOf(sent)
  const mentions = yield* mentionsOf(cutPrompt(input.prompt ?? ''), variables)
  const mentionsByVariable = new Map<Variable, readonly Mention[]>()
  for (const variable of variables) {
    yield
    const own = mentions.filter((mention) => isOf(mention, variable))
    mentionsByVariable.set(variable, own)
  }
  const reading = { variables, mentions, mentionsByVariable }
  readings.set(input, reading)
  return reading
}

/** Whether a mention names the variable, or the object that contains it. */
function isOf({ by, variable: mentioned }: Mention, variable: Variable): boolean {
  return mentioned === variable || (by === 'owner' && variable.path.startsWith(`${mentioned.path}.`))
}

/** A sentence with variables in it is not an id or an address. */
function isMisplaced(argument: PredictedArgument | undefined, prompt: string, target: Target | undefined): boolean {
  if (argument?.origin.from !== 'prompt' || argument.origin.variables === undefined || target === undefined) return false
  return isQuoted(argument, prompt) && / /.test(quotedText(argument, prompt)) && rejectsText(target)
}

/** Removes arguments whose text only mentions a variable. */
function withoutMentions(args: PredictedArguments, prompt: string, mentions: readonly Mention[]): PredictedArguments {
  const own = Object.entries(args).filter(
    ([, argument]) =>
      !cutsTag(argument, prompt) && (isQuoted(argument, prompt) || !mentions.some((mention) => isMention(argument, mention))),
  )
  return Object.fromEntries(own.map(([name, argument]) => [name, joinParts(argument, prompt, mentions)]))
}

/** A part of a tag is not a value. */
function cutsTag({ origin }: PredictedArgument, prompt: string): boolean {
  if (origin.from !== 'prompt') return false
  const [from, to] = origin.span
  return tagSpans(prompt).some((tag) => [from, to].some((edge) => edge > tag.start && edge < tag.end))
}

/** Whether the mention covers at least half of the argument. A longer text that contains a tag is a value of its own. */
function isMention({ origin }: PredictedArgument, { start, end }: Mention): boolean {
  if (origin.from !== 'prompt') return false
  const [from, to] = origin.span
  return start < to && end > from && (Math.min(end, to) - Math.max(start, from)) * 2 >= to - from
}

function isUsed({ start, end, variable }: Mention, args: PredictedArguments): boolean {
  return Object.values(args).some(({ origin }) => {
    if (origin.from === 'variable') return origin.variable === variable.path
    return origin.from === 'prompt' && start >= origin.span[0] && end <= origin.span[1]
  })
}

/** A literal with a lower confidence loses to a variable that the prompt does not mention. */
const MIN_LITERAL_CONFIDENCE = 0.5
const CLEARLY_MENTIONED = 4
const CLEARLY_NAMED = 8

/** What is known about the literal of a parameter. */
type LiteralChecks = { readonly isQuoted: (parameter: string) => boolean; readonly isMisplaced: (parameter: string) => boolean }
type Resolved = { readonly chosen: PredictedArguments; readonly displaced: PredictedArguments }

/**
 * Chooses between the literal and the variable for the same parameter. The literal wins, unless the prompt says that the variable goes
 * there or the literal has a low confidence.
 */
function resolveConflicts(
  literals: PredictedArguments,
  matched: ReadonlyMap<string, Pair>,
  { isQuoted, isMisplaced }: LiteralChecks,
): Resolved {
  const isBeaten = ([parameter, { confidence }]: [string, { confidence: number }]) => {
    if (isMisplaced(parameter)) return true
    const pair = matched.get(parameter)
    if (pair === undefined) return false
    if (pair.hasTag && (pair.nameScore >= CLEARLY_NAMED || !isQuoted(parameter))) return true
    if (pair.promptScore >= CLEARLY_MENTIONED && !isQuoted(parameter)) return true
    return confidence < (pair.mentioned ? argumentOf(pair).confidence : MIN_LITERAL_CONFIDENCE)
  }
  const entries = Object.entries(literals)
  const kept = Object.fromEntries(entries.filter((entry) => !isBeaten(entry)))
  const variables = [...matched].map(([parameter, pair]) => [parameter, argumentOf(pair)] as const)
  return { chosen: { ...Object.fromEntries(variables), ...kept }, displaced: Object.fromEntries(entries.filter(isBeaten)) }
}

import type { Steps } from '../../in-slices.ts'
import { findQuotes } from '../../words/quotes.ts'
import type { Piece } from '../find/piece.ts'
import { cutPrompt, promptOf, type Word } from '../find/prompt.ts'
import type { ArgumentInput, Variables } from '../types.ts'
import { canonical } from './canonical.ts'
import { tagSpans } from './tags.ts'
import { type Variable, variablesOf } from './variables.ts'

type Place = { readonly start: number; readonly end: number }

/** A place where the prompt mentions a variable. Offsets are UTF-16; the end is exclusive. */
export type Mention = Place & {
  /** The variable, or the object that contains it. */
  readonly variable: Variable
  /** `tag`: the prompt contains the variable's tag; `name`: its full name in words; `owner`: only the object that contains it. */
  readonly by: 'tag' | 'name' | 'owner'
  /** The nearest canonical words before it in the same clause, and those after "as" behind it. */
  readonly ahead: readonly string[]
  readonly behind: readonly string[]
}

type Spot = Omit<Mention, 'ahead' | 'behind'>

const DETERMINERS = new Set(['the', 'this', 'that', 'their', 'its', 'his', 'her', 'my', 'our', 'your'])
const SKIPPED = new Set([...DETERMINERS, 'a', 'an'])
const LONGEST = 7
const MAX_NEARBY = 4
const CLAUSE_END = /[,;.!?\n]/
/** The number of mentions that are used. Longer prompts are documents. */
const MAX_MENTIONS = 100

/** Finds the mentions of variables in a prompt, in order. Quotes contain text and no mentions. */
function* mentionsOf(prompt: string, variables: readonly Variable[]): Steps<Mention[]> {
  const quotes = findQuotes(prompt)
  const isFree = ({ start, end }: Place) => !quotes.some((quote) => start < quote.end && end > quote.start)
  const tags = tagSpots(prompt, variables).filter(isFree)
  const words = promptOf(prompt).words.filter(
    (word) => isFree(word) && !isPossessive(prompt, word) && !tags.some((tag) => word.start < tag.end && word.end > tag.start),
  )
  yield
  const names = yield* nameSpots(words, variables)
  const spots = [...tags, ...names].sort((a, b) => a.start - b.start).slice(0, MAX_MENTIONS)
  const edges = [...quotes, ...spots]
  const mentions: Mention[] = []
  for (const spot of spots) {
    yield
    mentions.push({ ...spot, ...besideWords(prompt, edges, spot) })
  }
  return mentions
}

function tagSpots(prompt: string, variables: readonly Variable[]): Spot[] {
  const byPath = new Map(variables.map((variable) => [variable.path, variable]))
  return tagSpans(prompt).flatMap(({ path, start, end }) => {
    const variable = byPath.get(path)
    return variable === undefined ? [] : [{ start, end, variable, by: 'tag' as const }]
  })
}

/** Finds the longest name at each position: `the deal's name`, `name of the deal`, `the deal`. */
function* nameSpots(words: readonly Word[], variables: readonly Variable[]): Steps<Spot[]> {
  const names = indexNames(variables)
  const spots: Spot[] = []
  for (let at = 0; at < words.length; ) {
    yield
    const spot = spotAt(words, at, names)
    if (spot !== undefined) spots.push(spot)
    at = spot === undefined ? at + 1 : words.findIndex(({ start }) => start >= spot.end)
    if (at < 0) break
  }
  return spots
}

type Names = ReadonlyMap<string, { readonly variable: Variable; readonly by: 'name' | 'owner' }>

function indexNames(variables: readonly Variable[]): Names {
  const names = new Map<string, { variable: Variable; by: 'name' | 'owner' }>()
  for (const variable of variables) {
    const by = typeof variable.value === 'object' && !Array.isArray(variable.value) ? 'owner' : 'name'
    const phrase = variable.words.join(' ')
    if (variable.last.length > 0 && !names.has(phrase)) names.set(phrase, { variable, by })
  }
  return names
}

function spotAt(words: readonly Word[], at: number, names: Names): Spot | undefined {
  const { start, lower } = words[at] as Word
  if (SKIPPED.has(lower)) return undefined
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    const taken = words.slice(at, at + length)
    const end = (taken.at(-1) as Word).end
    if (taken.slice(1).some(({ before }) => /[^\s'’s-]/.test(before))) continue
    const saidWords = taken.filter(({ lower: word }) => !SKIPPED.has(word)).map(({ text }) => text)
    const found = names.get(canonical(saidWords.join(' ')).join(' '))
    if (found === undefined) continue
    const certain = found.by === 'name' && found.variable.owner.length > 0
    if (certain || DETERMINERS.has(words[at - 1]?.lower ?? '')) return { ...found, start, end }
  }
  return undefined
}

function isPossessive(prompt: string, { lower, start }: Word): boolean {
  return lower === 's' && /['’]/.test(prompt[start - 1] ?? '')
}

/** Returns the canonical words before a mention and, if the next word is "as", those after it: up to a comma, another value or the end of the sentence. */
function besideWords(prompt: string, edges: readonly Place[], { start, end }: Place): Pick<Mention, 'ahead' | 'behind'> {
  const from = Math.max(0, ...edges.filter((edge) => edge.end <= start).map((edge) => edge.end))
  const to = Math.min(prompt.length, ...edges.filter((edge) => edge.start >= end).map((edge) => edge.start))
  const before = saidWords(prompt.slice(from, start).split(CLAUSE_END).at(-1) ?? '')
  const [first, ...after] = saidWords(prompt.slice(end, to).split(CLAUSE_END, 1)[0] ?? '').slice(0, MAX_NEARBY)
  return { ahead: canonical(before.slice(-MAX_NEARBY).join(' ')), behind: first === 'as' ? canonical(after.join(' ')) : [] }
}

function saidWords(text: string): string[] {
  return promptOf(text)
    .words.map(({ lower }) => lower)
    .filter((word) => word !== 's' && !SKIPPED.has(word))
}

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

/** Whether the mention covers at least half of the piece. A longer text that contains a tag is a separate value. */
function isMention({ start: from, end: to }: Piece, { start, end }: Mention): boolean {
  return start < to && end > from && (Math.min(end, to) - Math.max(start, from)) * 2 >= to - from
}

import type { Steps } from '../../in-slices.ts'
import { findQuotes } from '../../words/quotes.ts'
import type { Piece } from '../find/piece.ts'
import { cutPrompt, promptOf, type Word } from '../find/prompt.ts'
import { canonical } from '../slot/synonyms.ts'
import type { ArgumentInput, Variables } from '../types.ts'
import { tagSpans } from './tags.ts'
import { type Variable, variablesOf } from './variables.ts'

type Place = { readonly start: number; readonly end: number }

/** A place where the prompt mentions a variable. Offsets are UTF-16; the end is exclusive. */
type Spot = Place & {
  /** The variable, or the object that contains it. */
  readonly variable: Variable
  /** `tag`: the prompt contains the variable's tag; `name`: its full name in words; `owner`: only the object that contains it. */
  readonly by: 'tag' | 'name' | 'owner'
}

export type Mention = Spot & {
  /** The nearest canonical words before it in the same clause, and those after "as" behind it. */
  readonly ahead: readonly string[]
  readonly behind: readonly string[]
}

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
  const tags = tagSpans(prompt).flatMap(({ path, start, end }): Spot[] => {
    const variable = variables.find((one) => one.path === path)
    return variable === undefined || isIn(quotes, { start, end }) ? [] : [{ start, end, variable, by: 'tag' }]
  })
  const words = promptOf(prompt).words.filter((word) => !isIn([...quotes, ...tags], word))
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

function isIn(places: readonly Place[], { start, end }: Place): boolean {
  return places.some((place) => start < place.end && end > place.start)
}

/** Finds the longest name at each position: `the deal's name`, `name of the deal`, `the deal`. */
function* nameSpots(words: readonly Word[], variables: readonly Variable[]): Steps<Spot[]> {
  const named = variables.filter(({ last }) => last.length > 0).map((variable) => [variable.words.join(' '), variable] as const)
  const names = new Map(named.toReversed())
  const spots: Spot[] = []
  for (let at = 0; at < words.length; at++) {
    yield
    const spot = spotAt(words, at, names)
    if (spot === undefined) continue
    spots.push(spot)
    while ((words[at + 1]?.start ?? spot.end) < spot.end) at++
  }
  return spots
}

function spotAt(words: readonly Word[], at: number, names: ReadonlyMap<string, Variable>): Spot | undefined {
  const { start, lower } = words[at] as Word
  if (SKIPPED.has(lower)) return undefined
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    const taken = words.slice(at, at + length)
    if (taken.slice(1).some(({ before }) => /[^\s'’s-]/.test(before))) continue
    const variable = names.get(canonical(said(taken).join(' ')).join(' '))
    if (variable === undefined) continue
    const by = typeof variable.value === 'object' && !Array.isArray(variable.value) ? 'owner' : 'name'
    const isCertain = by === 'name' && variable.owner.length > 0
    if (isCertain || DETERMINERS.has(words[at - 1]?.lower ?? '')) return { variable, by, start, end: (taken.at(-1) as Word).end }
  }
  return undefined
}

function said(words: readonly Word[]): string[] {
  return words.filter(({ lower }) => !SKIPPED.has(lower)).map(({ text }) => text)
}

/** Returns the canonical words before a mention and, if the next word is "as", those after it: up to a comma, another value or the end of the sentence. */
function besideWords(prompt: string, edges: readonly Place[], { start, end }: Place): Pick<Mention, 'ahead' | 'behind'> {
  const from = Math.max(0, ...edges.filter((edge) => edge.end <= start).map((edge) => edge.end))
  const to = Math.min(prompt.length, ...edges.filter((edge) => edge.start >= end).map((edge) => edge.start))
  const before = said(promptOf(prompt.slice(from, start).split(CLAUSE_END).at(-1) ?? '').words)
  const [first, ...after] = said(promptOf(prompt.slice(end, to).split(CLAUSE_END, 1)[0] ?? '').words).slice(0, MAX_NEARBY)
  return { ahead: canonical(before.slice(-MAX_NEARBY).join(' ')), behind: first === 'as' ? canonical(after.join(' ')) : [] }
}

/** The variables that were sent, and where the prompt mentions them. */
export type ReadVariables = {
  readonly sent: Variables
  readonly variables: readonly Variable[]
  readonly mentions: readonly Mention[]
}

const known = new WeakMap<object, ReadVariables>()

/** Reads the variables. The result is cached by input, because a prediction may fill many functions. */
export function* readVariables(input: ArgumentInput, sent: Variables): Steps<ReadVariables> {
  const before = known.get(input)
  if (before !== undefined) return before
  const variables = yield* variablesOf(sent)
  const read = { sent, variables, mentions: yield* mentionsOf(cutPrompt(input.prompt ?? ''), variables) }
  known.set(input, read)
  return read
}

const OPENING = /["'“‘«`]/
const THEN = /^\s*,?\s*(?:(?:and\s+)?(?:then|followed by|plus)|\+)\s+(?:(?:the|its|their|his|her)\s+)?$/i

/**
 * Returns a piece of the prompt beside variables, or undefined when it only mentions a variable or cuts a tag. Joins a quote with the
 * variable after it: "'Order ' followed by the order id".
 */
export function besideVariables(piece: Piece, prompt: string, mentions: readonly Mention[]): Piece | undefined {
  const { kind, start, end } = piece
  const cutsTag = tagSpans(prompt).some((tag) => [start, end].some((edge) => edge > tag.start && edge < tag.end))
  if (kind === 'tag' || cutsTag) return undefined
  if (!OPENING.test(prompt.slice(Math.max(0, start - 1), start + 1)))
    return mentions.some((each) => isMention(piece, each)) ? undefined : piece
  const next = mentions.find((each) => each.by !== 'owner' && each.start >= end && THEN.test(prompt.slice(end, each.start)))
  if (kind !== 'quoted' || next === undefined) return piece
  return { ...piece, text: prompt.slice(start + 1, end - 1) + next.variable.tag, end: next.end }
}

/** Whether the mention covers at least half of the piece. A longer text that contains a tag is a separate value. */
function isMention({ start: from, end: to }: Piece, { start, end }: Mention): boolean {
  return start < to && end > from && (Math.min(end, to) - Math.max(start, from)) * 2 >= to - from
}

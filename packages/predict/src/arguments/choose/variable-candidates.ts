import type { Steps } from '../../in-slices.ts'
import { stem } from '../../words/stems.ts'
import { allSlotsOf, type Slot } from '../slot/slot.ts'
import { canonical } from '../slot/synonyms.ts'
import type { Fillable } from '../types.ts'
import type { Mention, ReadVariables } from '../variables/mentions.ts'
import type { ValueKind, Variable } from '../variables/variables.ts'
import type { Candidate } from './features.ts'
import { tagFor } from './value-for.ts'

/** The number of variables that are tried for a slot. */
const MAX_MATCHES = 12
/** When the evidence for two variables differs by less, neither is chosen. */
const DOUBT = 0.5
/** After the end of any prompt. */
const AFTER_PROMPT = 1_000_000

/** A variable that may be the value of a slot. `evidence` is the sum of its scores. */
type Match = { readonly variable: Variable; readonly evidence: number; readonly features: Candidate['features'] }

/** Returns the variables that may be the value of each slot of `allSlotsOf`. Parts of objects have none. */
export function* variableCandidates(fillable: Fillable, read: ReadVariables, prompted: boolean): Steps<Candidate[][]> {
  const title = canonical(fillable.title ?? fillable.about)
  const bySlot: Candidate[][] = []
  for (const slot of allSlotsOf(fillable)) {
    const likely: Match[] = []
    for (const variable of slot.path.length > 1 ? [] : read.variables) {
      yield
      const mentions = read.mentions.filter((mention) => isOf(mention, variable))
      const match = matchOf(slot, variable, mentions, title, prompted)
      if (match !== undefined) likely.push(match)
    }
    const valid: (Match & Pick<Candidate, 'value'>)[] = []
    for (const match of likely.sort((a, b) => b.evidence - a.evidence)) {
      yield
      const value = tagFor(fillable.check, slot, match.variable, read.sent)
      if (value !== undefined) valid.push({ ...match, value })
      if (valid.length === MAX_MATCHES) break
    }
    const clear = valid.filter((match) => !valid.some((other) => isRival(match, other)))
    bySlot.push(clear.map(({ variable, value, features }) => ({ found: pieceOf(variable), value, features })))
  }
  return bySlot

  /** Each variable has its own place after the prompt, so that it is used once. */
  function pieceOf(variable: Variable): Candidate['found'] {
    const start = AFTER_PROMPT + read.variables.indexOf(variable)
    return { kind: 'variable', text: variable.tag, start, end: start + 1 }
  }
}

/** Whether a mention names the variable, or the object that contains it. */
function isOf({ by, variable: mentioned }: Mention, variable: Variable): boolean {
  return mentioned === variable || (by === 'owner' && variable.path.startsWith(`${mentioned.path}.`))
}

/** Whether another object's variable fits equally well. */
function isRival(one: Match, other: Match): boolean {
  return one.variable.owner.join() !== other.variable.owner.join() && Math.abs(one.evidence - other.evidence) < DOUBT
}

const MENTIONED = { tag: 4, name: 3.5, owner: 3 } as const
/** Evidence is enough if it is as strong as two similar names. */
const ENOUGH = 4.5
/** Returns how well a variable fits a slot, or undefined if nothing says so. `title` holds the canonical words of the function's title. */
function matchOf(
  slot: Slot,
  variable: Variable,
  mentions: readonly Mention[],
  title: readonly string[],
  prompted: boolean,
): Match | undefined {
  const name = affinity(variable, slot, title, mentions.length > 0)
  const cue = Math.max(0, ...mentions.filter(({ by }) => name > 0 || by !== 'owner').map((mention) => cueScore(mention, slot)))
  const mention = Math.max(0, ...mentions.map(({ by }) => MENTIONED[by]))
  const hasTag = mention === MENTIONED.tag
  const isId = slot.isSourced || slot.words.some((word) => KINDS.has(word) && word !== 'name')
  // A mentioned variable may fill a required slot whose name says nothing about it.
  const unnamed = name === 0 && cue === 0
  const kinds = kindsOf(slot)
  const isFree = variable.kind === undefined ? kinds.length === 0 : kinds.includes(variable.kind)
  if (unnamed && (!slot.required || !isFree || mention < MENTIONED.name || (isId && !hasTag))) return undefined
  // When the function changes something, the prompt holds the new value and the variables hold the current one.
  const isCurrentValue = CHANGES.has(title[0] ?? '') && variable.owner.some((word) => title.includes(word))
  if (prompted && isCurrentValue && cue === 0 && !slot.required) return undefined
  const evidence = name + cue + mention
  if (!unnamed && evidence < ENOUGH) return undefined
  const features = {
    variable: 1,
    'variable:required': slot.required ? 1 : 0,
    'variable:evidence': evidence / 10,
    'variable:cue': cue / 10,
    'variable:prompted': prompted ? 1 : 0,
  }
  return { variable, evidence, features }
}

const VALUE_KINDS = ['email', 'phone', 'url', 'date'] as const

function kindsOf({ expected }: Slot): readonly ValueKind[] {
  return VALUE_KINDS.filter((kind) => expected.has(kind))
}

/** Groups of stems that may replace each other in names. */
const TEXTS = stemsOf('text body message content description notes note comment detail details html')
const TITLES = stemsOf('title subject headline summary topic name')
const AMOUNTS = stemsOf('amount value total price worth sum')
const ALIKE: readonly ReadonlySet<string>[] = [TEXTS, TITLES, AMOUNTS]

/** Objects that describe a person. */
const PERSONS = stemsOf(
  'person people user customer client contact lead member buyer subscriber guest attendee invitee registrant visitor employee requester ' +
    'reporter assignee recipient sender agent patient student candidate applicant caller author owner host participant signup prospect to from',
)
/** Persons who work on a thing, but do not receive it. */
const STAFF = stemsOf('agent assignee owner host author admin')
/** Names that have a meaning only together with their owner. */
const GENERIC = stemsOf(
  'name id title number type status state url description text note notes date tag tags value key label slug total address',
)
/** Properties that identify a thing. */
const KINDS = stemsOf('id iid key number name slug email path phone')
/** Verbs of functions that change existing things. The variables then hold the current state. */
const CHANGES = stemsOf('update change set edit modify')

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem))
}

/**
 * Returns how well the names of a variable and a parameter match: 0 not at all, 10 the same name. When the prompt mentions the variable
 * (`mentioned`), the object that contains it can only increase the score.
 */
function affinity(variable: Variable, slot: Slot, title: readonly string[], mentioned: boolean): number {
  const named = nameAffinity(variable, slot, title, mentioned)
  const fit = containerFit(variable, slot, title)
  return named === 0 ? 0 : Math.max(0, named + (mentioned ? Math.max(0, fit) : fit))
}

function nameAffinity({ words, last, owner, kind, value }: Variable, slot: Slot, title: readonly string[], mentioned: boolean): number {
  const { words: wanted, head, described, required } = slot
  if (last.length === 0 || wanted.length === 0) return 0
  const kinds = kindsOf(slot)
  // A phone number never fits a parameter for an e-mail address.
  if (kinds.length > 0 && kind !== undefined && !kinds.includes(kind)) return 0
  if (sameWords(words, wanted)) return 10
  if (sameWords(last, wanted)) return 8
  const [first, ...others] = difference(words, wanted)
  const missing = difference(wanted, words)
  if (missing.length === 0 && first !== undefined && others.length === 0) {
    if (KINDS.has(first) && described.includes(first)) return first === 'name' && described.includes('id') ? 0 : 8.5
    if (first === 'name' && typeof value === 'string') return 7
  }
  if (missing.length === 0 && difference(words, wanted).every((word) => title.includes(word))) return 8
  if (missing.length > 0 && last.every((word) => wanted.includes(word)) && last.at(-1) === wanted.at(-1)) {
    if (owner.length > 0 && owner.every((word) => head.includes(word)) && (required || owner.every((word) => PERSONS.has(word)))) return 6.5
    if (missing.every((word) => title.includes(word))) return 6.5
  }
  const group = ALIKE.find((words) => wanted.every((word) => words.has(word)))
  if (group !== undefined) {
    if (group !== TITLES && words.every((word) => head.includes(word)) && typeof value === 'string') return 7
    if (last.every((word) => group.has(word)) && (last[0] !== 'name' || owner.some((word) => title.includes(word)))) return 5.5
  }
  if (sameWords(words, head.slice(0, words.length)) && !words.every((word) => GENERIC.has(word))) return 6
  return kind !== undefined && kinds.includes(kind) && (required || mentioned) ? 5.5 : 0
}

/** Returns what the object that contains the variable (`owner`) adds to the score. Negative if it is a different kind of thing. */
function containerFit({ owner, last }: Variable, { head, words }: Slot, title: readonly string[]): number {
  if (owner.length === 0) return 1
  if (owner.some((word) => words.includes(word) || head.includes(word) || title.includes(word))) return 1.5
  const isPerson = owner.some((word) => PERSONS.has(word))
  if (owner.some((word) => STAFF.has(word)) && head.some((word) => PERSONS.has(word))) return -4
  if (isPerson && [...head, ...title].some((word) => PERSONS.has(word))) return 0.5
  return last.every((word) => GENERIC.has(word)) ? -4 : 0
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word) => b.includes(word))
}

function difference(a: readonly string[], b: readonly string[]): string[] {
  return a.filter((word) => !b.includes(word))
}

/** Returns how clearly the words around a mention point to a parameter: 0 not at all, 8 by the parameter's name. */
function cueScore({ ahead, behind }: Mention, { words }: Slot): number {
  if (words.length === 0) return 0
  // "as subject", "in the subject", "for the subject"
  if (words.every((word) => behind.includes(word))) return 8
  return words.every((word) => ahead.includes(word)) ? 6 : 0
}

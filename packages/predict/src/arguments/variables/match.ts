import type { ValueSchema } from '@onward/catalog'
import { stem } from '../../words/stems.ts'
import type { Slot } from '../slot/slot.ts'
import { canonical } from './canonical.ts'
import type { Mention } from './mentions.ts'
import type { Kind, Variable } from './variables.ts'

/** What a slot says about the variable that it expects. */
type Target = {
  readonly words: readonly string[]
  /** The beginning of the description, which says what the value is. */
  readonly head: readonly string[]
  /** Words of the title and description that name an identifying property, such as "id" or "email". */
  readonly known: readonly string[]
  readonly expected: Kind | undefined
  readonly required: boolean
  /** Whether it holds an id, and no text. */
  readonly id: boolean
}

/** A variable that may be the value of a slot. `evidence` is the sum of its scores. */
export type Match = {
  readonly variable: Variable
  readonly evidence: number
  readonly features: Readonly<Record<string, number>>
}

const MENTIONED = { tag: 4, name: 3.5, owner: 3 } as const
/** Evidence is enough if it is as strong as two similar names. */
const ENOUGH = 4.5
/** Returns how well a variable fits a slot, or undefined if nothing says so. `title` holds the canonical words of the function's title. */
export function matchOf(
  slot: Slot,
  variable: Variable,
  mentions: readonly Mention[],
  title: readonly string[],
  prompted: boolean,
): Match | undefined {
  const target = targetOf(slot)
  const name = affinity(variable, target, title, mentions.length > 0)
  const cue = Math.max(0, ...mentions.filter(({ by }) => name > 0 || by !== 'owner').map((mention) => cueScore(mention, target)))
  const mention = Math.max(0, ...mentions.map(({ by }) => MENTIONED[by]))
  const hasTag = mention === MENTIONED.tag
  // A mentioned variable may fill a required slot whose name says nothing about it.
  const unnamed = name === 0 && cue === 0
  const isFree = target.expected === undefined || target.expected === variable.kind
  if (unnamed && (!slot.required || !isFree || mention < MENTIONED.name || (target.id && !hasTag))) return undefined
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

const targets = new WeakMap<Slot, Target>()

function targetOf(slot: Slot): Target {
  const known = targets.get(slot)
  if (known !== undefined) return known
  const { schema, required, form } = slot
  const description = schema.description ?? ''
  const all = canonical(`${schema.title ?? ''} ${description.split('Call `', 1)[0]}`)
  const words = canonical(slot.path.at(-1) as string)
  const target = {
    words,
    required,
    expected: kindOf(schema, words),
    head: canonical(`${schema.title ?? ''} ${description.split(/[.,:;]|\b(?:who|that|which|where|when|in|with|such|without)\b/, 1)[0]}`),
    known: all.filter((word) => KINDS.has(word)),
    id: form.sourced || words.some((word) => KINDS.has(word) && word !== 'name'),
  }
  targets.set(slot, target)
  return target
}

/** Derives the kind from the name, the format and the description; for lists and objects from their items and properties. */
function kindOf(schema: ValueSchema, words: readonly string[]): Kind | undefined {
  const { format, description = '', items, properties } = schema
  if (format === 'email' || words.includes('email') || /(?:^|\s)\w+@example\.com/.test(description)) return 'email'
  if (/E\.164|\+\d{9}|phone number/i.test(description) || words.includes('phone')) return 'phone'
  if (/email addresses? (?:of|that|for)/i.test(description)) return 'email'
  if (format === 'uri') return 'url'
  if (format === 'date' || format === 'date-time' || /\d{4}-\d\d-\d\d/.test(description)) return 'date'
  if (items !== undefined) return kindOf(items, [])
  return properties?.email === undefined ? undefined : 'email'
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
function affinity(variable: Variable, target: Target, title: readonly string[], mentioned: boolean): number {
  const named = nameAffinity(variable, target, title, mentioned)
  const fit = containerFit(variable, target, title)
  return named === 0 ? 0 : Math.max(0, named + (mentioned ? Math.max(0, fit) : fit))
}

function nameAffinity(
  { words, last, owner, kind, value }: Variable,
  { words: wanted, head, known, expected, required }: Target,
  title: readonly string[],
  mentioned: boolean,
): number {
  if (last.length === 0 || wanted.length === 0) return 0
  // A phone number never fits a parameter for an e-mail address.
  if (expected !== undefined && kind !== undefined && expected !== kind) return 0
  if (sameWords(words, wanted)) return 10
  if (sameWords(last, wanted)) return 8
  const more = difference(words, wanted)
  const missing = difference(wanted, words)
  if (missing.length === 0 && more.length === 1) {
    if (known.includes(more[0] as string)) return more[0] === 'name' && known.includes('id') ? 0 : 8.5
    if (more[0] === 'name' && typeof value === 'string') return 7
  }
  if (missing.length === 0 && more.every((word) => title.includes(word))) return 8
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
  return expected !== undefined && expected === kind && (required || mentioned) ? 5.5 : 0
}

/** Returns what the object that contains the variable (`owner`) adds to the score. Negative if it is a different kind of thing. */
function containerFit({ owner, last }: Variable, { head, words }: Target, title: readonly string[]): number {
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
function cueScore({ ahead, behind }: Mention, { words }: Target): number {
  if (words.length === 0) return 0
  // "as subject", "in the subject", "for the subject"
  if (words.every((word) => behind.includes(word))) return 8
  if (words.every((word) => ahead.includes(word))) return 6
  return 0
}

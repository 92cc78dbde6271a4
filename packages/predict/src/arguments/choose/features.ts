import { durationFor } from '../find/numbers.ts'
import { type Kind, type Piece, TYPES_BY_KIND } from '../find/piece.ts'
import { firstFrom, type Prompt, type Word, wordsIn } from '../find/prompt.ts'
import type { ExpectedType } from '../slot/expected-types.ts'
import type { Slot } from '../slot/slot.ts'

/**
 * Features of a piece as the value of a slot, by name; each is about 0 to 1. `Telling` in a name means the distinctive stems of the slot.
 */
type Features = Record<string, number>

/** A piece for a slot, with the value to write. */
export type Candidate = { readonly found: Piece; readonly value: unknown; readonly features: Readonly<Features> }

/** What features need to know besides the piece and the slot. */
export type WiderContext = {
  /** Stems of the function's title and description. */
  readonly about: ReadonlySet<string>
  /** How well the order of pieces agrees with the order of slots, −0.5 to 0.5. */
  readonly order: number
  /** How much nearer the name of another slot is. */
  readonly competitor: number
  /** The share of the slot's distinctive stems that the prompt does not contain. */
  readonly absent: number
  /** Whether no other slot expects the type that the form of the piece satisfies. */
  readonly sole: boolean
  /** Whether the piece is the first date of the prompt and the slot is the first that expects a date, or both are the end of a period. */
  readonly main: boolean
  /** Whether the piece is a part of the text of a message. */
  readonly said: boolean
  /** Stems that name other slots. */
  readonly others: ReadonlySet<string>
}

/** Returns how strongly the words around a piece name a slot. */
export function namingStrength(slot: Slot, { before, after }: Surroundings): number {
  const distinctive = (word: Word) => slot.distinctive.has(word.stem)
  return Math.max(nearness(before, distinctive), 0.8 * nearness(after, distinctive))
}

/** Returns the features of a piece for a slot. `weights/arguments.json` holds the learnt weight of each. */
export function featuresOf(
  slot: Slot,
  found: Piece,
  { before, after, inside, cue }: Surroundings,
  { about, order, competitor, absent, sole, main, said, others }: WiderContext,
): Features {
  const members = found.kind === 'list' ? (found.members?.[0]?.kind ?? 'list') : found.kind
  const kinds: readonly Kind[] = found.form === undefined ? [members] : [members, found.form]
  const form = kinds
    .map((kind) => TYPES_BY_KIND[kind])
    .find((answer) => answer?.slice(1).some((type) => slot.expected.has(type as ExpectedType)))?.[0]
  const isExpected = form !== undefined
  const numeric = isNumeric(slot)
  const unit = numeric && (durationFor(slot, found) !== undefined || (found.unit !== undefined && isUnitOf(slot, found.unit)))
  const evident =
    form === 'pattern' ||
    main ||
    (sole && found.kind === 'money') ||
    unit ||
    (isExpected && (slot.cues.has(cue) || hasPrefixOf(slot, found)))
  const specific = found.kind !== 'name' && found.kind !== 'clause' && kinds.some((kind) => TYPES_BY_KIND[kind] !== undefined)
  const content = inside.filter(({ stem }) => stem.length > 1)
  const share = (test: (stem: string) => boolean) =>
    content.length === 0 ? 0 : content.filter(({ stem }) => test(stem)).length / content.length
  const reach = [...before.slice(0, 5), ...after]
  const stemsNear = new Set(reach.map(({ stem }) => stem))
  const near = [...slot.distinctive].filter((stem) => stemsNear.has(stem)).length / Math.max(1, slot.distinctive.size)
  const kind = members === 'quoted' && found.kind === 'list' ? 'list' : found.kind
  return {
    bias: 1,
    [`${numeric ? 'number' : slot.schema.type === 'array' ? 'array' : 'text'}:${kind}`]: 1,
    required: slot.required ? 1 : 0,
    [`expected:${form ?? 'no'}`]: 1,
    person: found.kind === 'name' && inside.length > 1 && inside.length < 4 && slot.expected.has('person') ? 1 : 0,
    called: found.unit === 'called' ? 1 : 0,
    several: (found.members?.length ?? 0) > 1 && slot.schema.type === 'array' ? 1 : 0,
    foreign: specific && !isExpected && slot.expected.size > 0 ? 1 : 0,
    beforeTelling: nearness(before, ({ stem }) => slot.distinctive.has(stem)),
    beforeAny: nearness(before, ({ stem }) => slot.names.includes(stem)),
    beforeSynonym: nearness(before, ({ stem }) => slot.synonyms.has(stem)),
    afterSynonym: nearness(after, ({ stem }) => slot.synonyms.has(stem)),
    named: near,
    cue: slot.cues.has(cue) ? 1 : 0,
    example: slot.examples.some((example) => example.toLowerCase() === found.text.toLowerCase()) ? 1 : 0,
    insideAbout:
      found.kind === 'boolean-cue' || (found.kind === 'choice' && slot.schema.enum !== undefined) ? 0 : share((stem) => about.has(stem)),
    unit: unit ? 1 : 0,
    textSlot: (found.kind === 'quoted' || found.kind === 'clause') && (slot.expected.has('text') || slot.expected.has('topic')) ? 1 : 0,
    says: found.kind === 'clause' && found.unit === 'says' ? 1 : 0,
    dayOnly: slot.schema.format === 'date' && found.datetime?.time === true ? 1 : 0,
    timeless: found.datetime !== undefined && !found.datetime.time && expectsTime(slot) ? 1 : 0,
    dayless: found.datetime !== undefined && !found.datetime.day && slot.expected.has('date') ? 1 : 0,
    headName: found.kind === 'name' && slot.distinctive.has(inside.at(-1)?.stem ?? '') ? 1 : 0,
    countable: numeric && slot.expected.has('count') && after.slice(0, 3).some(({ stem }) => about.has(stem)) ? 1 : 0,
    enum: found.kind === 'choice' && slot.schema.enum !== undefined ? 1 : 0,
    idInWords: slot.expected.has('id') && !/\d/.test(found.text) && !/^[A-Z]+$|[_/@#-]/.test(found.text) ? 1 : 0,
    order,
    competitor,
    sole: sole && (form === 'pattern' || found.kind === 'money') ? 1 : 0,
    main: main ? 1 : 0,
    said: said ? 1 : 0,
    insideOthers: found.kind === 'phrase' || found.kind === 'named' ? share((stem) => others.has(stem)) : 0,
    [evident ? 'absentPattern' : 'absent']: found.kind === 'boolean-cue' ? 0 : absent,
    absentOptional: slot.required || evident || found.kind === 'boolean-cue' ? 0 : absent,
    digits: slot.expected.has('id') && /\d/.test(found.text) && !/\s/.test(found.text) ? 1 : 0,
  }
}

/** "cus_123" is the id of a customer. */
function hasPrefixOf({ names }: Slot, { kind, text }: Piece): boolean {
  const prefix = kind === 'id' ? /^\p{Ll}{2,}(?=_)/u.exec(text)?.[0] : undefined
  return prefix !== undefined && names.some((name) => name.startsWith(prefix))
}

function isUnitOf({ description, names }: Slot, unit: string): boolean {
  return description.has(unit) || names.includes(unit)
}

function expectsTime({ schema, expected }: Slot): boolean {
  return schema.format === 'date-time' || (expected.has('time') && !expected.has('date'))
}

function isNumeric({ schema: { type, items } }: Slot): boolean {
  return type === 'number' || type === 'integer' || items?.type === 'number' || items?.type === 'integer'
}

/** The words of the same sentence around a piece, nearest first. `cue` is the word before it, without articles and the like. */
export type Surroundings = {
  readonly before: readonly Word[]
  readonly after: readonly Word[]
  readonly inside: readonly Word[]
  readonly cue: string
}

const REACH = 7
const REACH_AFTER = 3
/** Words that may stand between a name and its value without separating them. */
const LINKS = new Set('of is as to the a an with be was are named called titled that equal equals its at in for it'.split(' '))

export function surroundingsOf(found: Piece, { words }: Prompt): Surroundings {
  const first = firstFrom(words, found.whole ?? found.start)
  const next = firstFrom(words, found.end)
  const before: Word[] = []
  for (let at = first - 1; at >= 0 && before.length < REACH; at--) {
    const word = words[at] as Word
    before.push(word)
    if (/[.!?;\n]\s/.test(words[at + 1]?.before ?? '') || (/[.!?]/.test(word.before) && /\s/.test(word.before))) break
  }
  if (/[.!?;\n]\s/.test(words[first]?.before ?? '')) before.length = 0
  const after: Word[] = []
  for (let at = next; at < words.length && after.length < REACH_AFTER; at++) {
    const word = words[at] as Word
    if (/[.,!?;:\n"”]\s/.test(word.before) && !/^["”'] /.test(word.before)) break
    after.push(word)
  }
  const cue = before.find(({ lower }) => !/^(?:the|an?|my|our|your|his|her|their|this|specific|given)$/.test(lower))?.lower ?? ''
  return { before, after, inside: wordsIn(words, found.start, found.end), cue }
}

/** Returns how near the nearest matching word is: 1 when adjacent, less for each word in between except links, 0 when none matches. */
function nearness(words: readonly Word[], named: (word: Word) => boolean): number {
  let distance = 1
  for (const word of words) {
    if (named(word)) return 1 / distance
    if (!LINKS.has(word.lower)) distance += 1
  }
  return 0
}

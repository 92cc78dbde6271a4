import { type Kind, type Piece, TYPES_BY_KIND } from '../find/piece.ts'
import { isGrammar, type Word } from '../find/prompt.ts'
import type { ExpectedType, Slot } from '../slot/slot.ts'
import { nearness, type Surroundings } from './surroundings.ts'

/**
 * Features of a piece as the value of a slot, by name; each is about 0 to 1. `Telling` in a name means the distinctive stems of the slot.
 */
export type Features = Record<string, number>

/** Kinds whose form says little about their meaning. */
const LOOSE: ReadonlySet<Kind> = new Set(['phrase', 'name', 'named', 'number', 'id', 'clause'])
/** Types that only a piece of the matching form satisfies. */
const STRICT: ReadonlySet<ExpectedType> = new Set([
  'email',
  'url',
  'phone',
  'date',
  'given',
  'family',
  'owner',
  'repo',
  'postcode',
  'coordinates',
  'zone',
])

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
  /** Whether the piece is the first date of the prompt and the slot is the first that expects a date. */
  readonly main: boolean
  /** Stems that name other slots. */
  readonly others: ReadonlySet<string>
  /** Cues of other slots. */
  readonly othersCues: ReadonlySet<string>
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
  { about, order, competitor, absent, sole, main, others, othersCues }: WiderContext,
): Features {
  const members = found.kind === 'list' ? (found.members?.[0]?.kind ?? 'list') : found.kind
  const kinds: readonly Kind[] = found.form === undefined ? [members] : [members, found.form]
  const form = kinds
    .map((kind) => TYPES_BY_KIND[kind])
    .find((answer) => answer?.slice(1).some((type) => slot.expected.has(type as ExpectedType)))?.[0]
  const isExpected = form !== undefined
  const evident = form === 'pattern' || main
  const specific = found.kind !== 'name' && found.kind !== 'clause' && kinds.some((kind) => TYPES_BY_KIND[kind] !== undefined)
  const numeric = isNumeric(slot)
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
    misfit: !isExpected && LOOSE.has(members) && slot.expected.size > 0 && [...slot.expected].every((type) => STRICT.has(type)) ? 1 : 0,
    person: found.kind === 'name' && inside.length > 1 && inside.length < 4 && slot.expected.has('person') ? 1 : 0,
    called: found.unit === 'called' ? 1 : 0,
    several: (found.members?.length ?? 0) > 1 && slot.schema.type === 'array' ? 1 : 0,
    foreign: specific && !isExpected && slot.expected.size > 0 ? 1 : 0,
    beforeTelling: nearness(before, ({ stem }) => slot.distinctive.has(stem)),
    beforeAny: nearness(before, ({ stem }) => slot.names.includes(stem)),
    beforeSynonym: nearness(before, ({ stem }) => slot.synonyms.has(stem)),
    afterTelling: nearness(after, ({ stem }) => slot.distinctive.has(stem)),
    afterSynonym: nearness(after, ({ stem }) => slot.synonyms.has(stem)),
    named: near,
    described: nearness(before, ({ stem }) => slot.description.has(stem)),
    describedAfter: nearness(after, ({ stem }) => slot.description.has(stem)),
    cue: slot.cues.has(cue) ? 1 : 0,
    othersCue: !slot.cues.has(cue) && othersCues.has(cue) ? 1 : 0,
    example: slot.examples.some((example) => example.toLowerCase() === found.text.toLowerCase()) ? 1 : 0,
    likeExample: likeExample(slot.examples, found.text),
    insideName: share((stem) => slot.distinctive.has(stem)),
    insideAbout:
      found.kind === 'boolean-cue' || (found.kind === 'choice' && slot.schema.enum !== undefined) ? 0 : share((stem) => about.has(stem)),
    words: Math.min(6, inside.length) / 6,
    unit: found.unit !== undefined && numeric && (slot.description.has(found.unit) || slot.names.includes(found.unit)) ? 1 : 0,
    year: numeric && slot.names.includes('year') ? (found.number !== undefined && found.number >= 1000 && found.number < 2200 ? 1 : -1) : 0,
    listForOne: found.kind === 'list' && slot.schema.type !== 'array' ? 1 : 0,
    textSlot: (found.kind === 'quoted' || found.kind === 'clause') && (slot.expected.has('text') || slot.expected.has('topic')) ? 1 : 0,
    says: found.kind === 'clause' && found.unit === 'says' ? 1 : 0,
    dayOnly: slot.schema.format === 'date' && found.datetime?.time === true ? 1 : 0,
    timeless: found.datetime !== undefined && !found.datetime.time && expectsTime(slot) ? 1 : 0,
    dayless: found.datetime !== undefined && !found.datetime.day && slot.expected.has('date') ? 1 : 0,
    cutBefore: cut(before[0], inside[0]?.before, slot),
    cutAfter: cut(after[0], after[0]?.before, slot),
    cutName: found.kind === 'name' ? cut(after[0], after[0]?.before, slot) : 0,
    headName: found.kind === 'name' && slot.distinctive.has(inside.at(-1)?.stem ?? '') ? 1 : 0,
    countable: numeric && slot.expected.has('count') && after.slice(0, 3).some(({ stem }) => about.has(stem)) ? 1 : 0,
    enum: found.kind === 'choice' && slot.schema.enum !== undefined ? 1 : 0,
    idInWords: slot.expected.has('id') && !/\d/.test(found.text) && !/^[A-Z]+$|[_/@#-]/.test(found.text) ? 1 : 0,
    order,
    competitor,
    sole: sole && form === 'pattern' ? 1 : 0,
    main: main ? 1 : 0,
    insideOthers: found.kind === 'phrase' || found.kind === 'named' ? share((stem) => others.has(stem)) : 0,
    [evident ? 'absentPattern' : 'absent']: found.kind === 'boolean-cue' ? 0 : absent,
    absentOptional: slot.required || evident || found.kind === 'boolean-cue' ? 0 : absent,
    digits: slot.expected.has('id') && /\d/.test(found.text) && !/\s/.test(found.text) ? 1 : 0,
  }
}

/** Whether the text continues next to a piece: the adjacent word is neither a function word nor a name of the slot. */
function cut(word: Word | undefined, between: string | undefined, slot: Slot): number {
  if (word === undefined || between === undefined || !/^[ -]$/.test(between) || isGrammar(word.lower)) return 0
  return slot.names.includes(word.stem) || slot.synonyms.has(word.stem) ? 0 : 1
}

function expectsTime({ schema, expected }: Slot): boolean {
  return schema.format === 'date-time' || (expected.has('time') && !expected.has('date'))
}

function isNumeric({ schema: { type, items } }: Slot): boolean {
  return type === 'number' || type === 'integer' || items?.type === 'number' || items?.type === 'integer'
}

/** Returns the share of the examples that have the same shape: capitalization, digits and spaces. */
function likeExample(examples: readonly string[], text: string): number {
  if (examples.length === 0) return 0
  const shape = shapeOf(text)
  return examples.filter((example) => shapeOf(example) === shape).length / examples.length
}

function shapeOf(text: string): string {
  const capital = /^\p{Lu}/u.test(text) ? 'A' : /^\p{L}/u.test(text) ? 'a' : '-'
  const figures = /^[\d.,-]+$/.test(text) ? '9' : /\d/.test(text) ? '0' : ''
  return `${capital}${figures}${/[\s_-]/.test(text.trim()) ? ' ' : ''}`
}

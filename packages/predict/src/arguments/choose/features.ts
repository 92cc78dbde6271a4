import { durationFor } from '../find/numbers.ts'
import { type Piece, TYPES_BY_KIND } from '../find/piece.ts'
import { firstFrom, type Prompt, type Word, wordsIn } from '../find/prompt.ts'
import type { Slot } from '../slot/slot.ts'

/**
 * Features of a piece as the value of a slot, by name; each is about 0 to 1. `Telling` in a name means the distinctive stems of the slot.
 */
type Features = Record<string, number>

/** A piece for a slot, with the value to write. */
export type Candidate = { readonly found: Piece; readonly value: unknown; readonly features: Readonly<Features> }

/** What features need to know besides the piece and the slot. */
type WiderContext = {
  /** Stems of the function's title and description. */
  readonly about: ReadonlySet<string>
  /** The share of the slot's distinctive stems that the prompt does not contain. */
  readonly absent: number
  /** Whether the piece is the first date of the prompt and the slot is the first that expects a date. */
  readonly main: boolean
  /** Stems that name other slots. */
  readonly others: ReadonlySet<string>
}

/** Returns the features of a piece for a slot. `weights/arguments.json` holds the learnt weight of each. */
export function featuresOf(
  slot: Slot,
  found: Piece,
  { before, after, inside, cue }: Surroundings,
  { about, absent, main, others }: WiderContext,
): Features {
  const { kind } = found
  const members = kind === 'list' ? (found.members?.[0]?.kind ?? kind) : kind
  const [type, ...expected] = TYPES_BY_KIND[members] ?? []
  const form = expected.some((one) => slot.expected.has(one)) ? (type as string) : 'no'
  const { description, names, schema } = slot
  const numeric = [schema.type, schema.items?.type].some((one) => one === 'number' || one === 'integer')
  const cued = slot.cues.has(cue)
  const hasUnit =
    numeric &&
    (durationFor(slot, found) !== undefined || (found.unit !== undefined && (description.has(found.unit) || names.includes(found.unit))))
  const isEvident = form === 'pattern' || main || hasUnit || (form !== 'no' && (cued || kind === 'money'))
  const isCue = kind === 'boolean-cue'
  const content = inside.filter(({ stem }) => stem.length > 1)
  const share = (test: (stem: string) => boolean) => content.filter(({ stem }) => test(stem)).length / Math.max(1, content.length)
  const near = new Set([...before.slice(0, 5), ...after].map(({ stem }) => stem))
  const features = {
    required: slot.required,
    called: found.unit === 'called',
    beforeAny: nearness(before, ({ stem }) => slot.names.includes(stem)),
    beforeSynonym: nearness(before, ({ stem }) => slot.synonyms.has(stem)),
    named: [...slot.distinctive].filter((stem) => near.has(stem)).length / Math.max(1, slot.distinctive.size),
    cue: cued,
    insideAbout: isCue || (kind === 'choice' && slot.schema.enum !== undefined) ? 0 : share((stem) => about.has(stem)),
    textSlot: (kind === 'quoted' || kind === 'clause') && (slot.expected.has('text') || slot.expected.has('topic')),
    headName: kind === 'name' && slot.distinctive.has(inside.at(-1)?.stem ?? ''),
    idInWords: slot.expected.has('id') && !/\d/.test(found.text) && !/^[A-Z]+$|[_/@#-]/.test(found.text),
    main,
    countable: numeric && slot.expected.has('count') && after.slice(0, 3).some(({ stem }) => about.has(stem)),
    unit: hasUnit,
    insideOthers: kind === 'phrase' || kind === 'named' ? share((stem) => others.has(stem)) : 0,
    absent: isCue ? 0 : absent,
    absentOptional: isCue || slot.required || isEvident ? 0 : absent,
  }
  return {
    bias: 1,
    [`${numeric ? 'number' : slot.schema.type === 'array' ? 'array' : 'text'}:${kind}`]: 1,
    [`expected:${form}`]: 1,
    ...Object.fromEntries(Object.entries(features).map(([name, value]) => [name, Number(value)])),
  }
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
export function surroundingsOf(found: Piece, { words }: Prompt): Surroundings {
  const first = firstFrom(words, found.whole ?? found.start)
  const next = firstFrom(words, found.end)
  const before: Word[] = []
  for (let at = first - 1; at >= 0 && before.length < REACH; at--) {
    const word = words[at] as Word
    before.push(word)
    if (/[.!?;\n]\s/.test(words[at + 1]?.before ?? '') || (/[.!?]/.test(word.before) && /\s/.test(word.before))) break
  }
  const after: Word[] = []
  for (let at = next; at < words.length && after.length < REACH_AFTER; at++) {
    const word = words[at] as Word
    if (/[.,!?;:\n"”]\s/.test(word.before) && !/^["”'] /.test(word.before)) break
    after.push(word)
  }
  const cue = before.find(({ lower }) => !/^(?:the|an?|my|our|your|his|her|their|this|specific|given)$/.test(lower))?.lower ?? ''
  return { before, after, inside: wordsIn(words, found.start, found.end), cue }
}

/** Words between a name and its value: "assigned to octocat". */
const LINKS = new Set('of is as to the a an be called named equals'.split(' '))

/** Returns how near the nearest matching word is: 1 when adjacent, less for each word in between except links, 0 when none matches. */
function nearness(words: readonly Word[], named: (word: Word) => boolean): number {
  const at = words.findIndex(named)
  return at < 0 ? 0 : 1 / (words.slice(0, at).filter(({ lower }) => !LINKS.has(lower)).length + 1)
}

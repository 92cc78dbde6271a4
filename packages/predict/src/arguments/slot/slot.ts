import type { ValueSchema } from '@onward/catalog'
import { nameStems, stems } from '../../words/stems.ts'
import { words } from '../../words/words.ts'
import type { Fillable } from '../types.ts'
import { type ExpectedType, expectedTypesOf } from './expected-types.ts'
import { canonical, cuesOf, synonymsOf } from './synonyms.ts'

/** A parameter, or a property of an object parameter, that can get one value. */
export type Slot = {
  readonly path: readonly string[]
  readonly schema: ValueSchema
  readonly required: boolean
  /** Stems of name and title. `distinctive` holds those that only few parameters have in their names. */
  readonly names: readonly string[]
  readonly distinctive: ReadonlySet<string>
  /**
   * Stems of words that users say instead of the name. `cues` are short words before its values, such as "in" before a place.
   */
  readonly synonyms: ReadonlySet<string>
  readonly cues: ReadonlySet<string>
  /** For an id: the stem of the thing that it identifies, such as "folder". */
  readonly things: readonly string[]
  /** Canonical words of the name, of title and description, and of the beginning of the description, which says what the value is. */
  readonly words: readonly string[]
  readonly described: readonly string[]
  readonly head: readonly string[]
  /** Stems of the description. */
  readonly description: ReadonlySet<string>
  readonly examples: readonly string[]
  readonly expected: ReadonlySet<ExpectedType>
  /** Whether the description says that a value is an id, and not a name or another text. */
  readonly isId: boolean
  /** Whether another function lists the values. */
  readonly isSourced: boolean
  /** The beginning of every value, such as "pi_". */
  readonly prefix: string | undefined
  /** Whether it holds the name of the thing itself, not the name of a person or part. */
  readonly isTitle: boolean
}

/** Stems that the names of many parameters contain. */
export const VAGUE = new Set(nameStems('name id type number value code data info list key unique new the of a is text display'))

/** Stems of abbreviations in names, with the stems of the full words. */
const IN_FULL: ReadonlyMap<string, string> = new Map(
  'desc description, msg message, qty quantity, num number, org organization, repo repository, addr address, q query'
    .split(', ')
    .map((pair) => nameStems(pair) as [string, string]),
)
const MAX_DEPTH = 2
const MAX_SLOTS = 120

const slotsByProperties = new WeakMap<Fillable['properties'], readonly Slot[]>()

/**
 * Returns the slots of a function, or of the items of a list. Objects are split into their properties. The result is cached by the
 * `properties` object.
 */
export function slotsOf({ properties, required }: Pick<Fillable, 'properties' | 'required'>): readonly Slot[] {
  const known = slotsByProperties.get(properties)
  if (known !== undefined) return known
  const slots = expand(properties, required, [], 0).slice(0, MAX_SLOTS)
  slotsByProperties.set(properties, slots)
  return slots
}

/** Returns the slots of a function, and one for each object as a whole, which only a variable can fill. */
export function allSlotsOf(fillable: Pick<Fillable, 'properties' | 'required'>): readonly Slot[] {
  const objects = Object.entries(fillable.properties).filter(([, { type, properties }]) => type === 'object' && properties !== undefined)
  return [...slotsOf(fillable), ...objects.map(([name, schema]) => slotOf([name], schema, fillable.required.includes(name)))]
}

function expand(properties: Fillable['properties'], required: readonly string[], above: readonly string[], depth: number): Slot[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...above, name]
    if (schema.type === 'object' && schema.properties !== undefined && depth < MAX_DEPTH)
      return expand(schema.properties, schema.required ?? [], path, depth + 1)
    return [slotOf(path, schema, required.includes(name))]
  })
}

function slotOf(path: readonly string[], schema: ValueSchema, required: boolean): Slot {
  const name = path.at(-1) as string
  const names = [...new Set(nameStems(`${name} ${schema.title ?? ''}`).flatMap((stem) => [stem, IN_FULL.get(stem) ?? stem]))]
  const distinctive = names.filter((stem) => !VAGUE.has(stem))
  const nameWords = words(`${name} ${schema.title ?? ''}`).join(' ')
  const { description = '' } = schema
  const things = nameStems(ID_OF.exec(description)?.[1] ?? '')
  const slot = {
    path,
    schema,
    required,
    names,
    distinctive: new Set(distinctive.length > 0 ? distinctive : names),
    synonyms: new Set([...synonymsOf(names), ...things]),
    things,
    cues: cuesOf(nameWords),
    words: canonical(name),
    described: canonical(`${schema.title ?? ''} ${description.split('Call `', 1)[0]}`),
    head: canonical(`${schema.title ?? ''} ${description.split(/[.,:;]|\b(?:who|that|which|where|when|in|with|such|without)\b/, 1)[0]}`),
    description: new Set(stems(description)),
    examples: examplesOf(description),
    expected: expectedTypesOf(nameWords, schema),
    isId: ID_ALONE.test(description),
    isSourced: description.includes('Call `'),
    prefix: PREFIX.exec(description)?.[1],
  }
  return { ...slot, isTitle: holdsTitle(slot) }
}

const ID_OF = /\bids? of (?:the |an? )?(?:new |parent )?(\p{L}+)/iu
const ID_ALONE = /^(?:the )?(?:unique )?(?:ids?|identifiers?)\b(?!.*\bnames?\b)/i
const PREFIX = /\bbeginning with ([\p{L}\p{N}]+[_-]|\p{Lu}{2}(?=[.,])|\p{Ll}{3}(?=[.,]|$))/u

const INTRODUCED =
  /(?:\be\.?g\.?[,:]?|\bfor example[,:]?|\bfor instance[,:]?|\bsuch as|\bone of:?|\bcan be:?|\boptions(?: are)?:?|\beither|\bvalues?:)\s+([^)\n.;]*(?:\.\w[^)\n.;]*)*)/gi
const QUOTED = /'([^'\n]{1,60})'|"([^"\n]{1,60})"|`([^`\n]{1,60})`/g
/** "Where it goes: top, bottom or a positive number". */
const LISTED = /: ([\w-]+(?:, [\w-]+)*,? or [\w-]+)/g
const MAX_EXAMPLES = 30

/** Returns the examples in a description: "(e.g., easy, hard)", "('daily', 'weekly')", "such as music". */
function examplesOf(description: string): string[] {
  const quoted = [...description.matchAll(QUOTED)].map((match) => match.slice(1).find((group) => group !== undefined) as string)
  const introduced = [...description.matchAll(INTRODUCED), ...description.matchAll(LISTED)].flatMap(([, list = '']) =>
    list.split(/,|\/(?=\s)|\bor\b|\band\b/),
  )
  const cleaned = [...quoted, ...introduced]
    .map((one) => one.replace(/^[\s'"`]+|[\s'"`.]+$/g, ''))
    .filter((one) => one !== '' && one !== 'etc')
  return [...new Set(cleaned)].slice(0, MAX_EXAMPLES)
}

/** Stems in names of parameters that hold the name of the thing itself. */
const TITLES = new Set(nameStems('title name subject summary topic'))

const NAME_OF = /^(?:name|title) of the (?:new )?(\p{L}+)/iu

function holdsTitle({ distinctive, expected, required, schema }: Omit<Slot, 'isTitle'>): boolean {
  if (schema.type !== 'string' || expected.has('id')) return false
  const thing = required && !expected.has('person') ? nameStems(NAME_OF.exec(schema.description ?? '')?.[1] ?? '') : []
  const names = [...distinctive].filter((stem) => TITLES.has(stem) || thing.includes(stem))
  return names.length > 0 && [...distinctive].every((stem) => VAGUE.has(stem) || names.includes(stem))
}

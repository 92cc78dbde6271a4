import type { ValueSchema } from '@onward/catalog'
import { ExactNumber } from '@onward/json'
import { datetimeInstant, datetimeText } from '../find/datetimes.ts'
import { inMinorUnits, isoCodeText } from '../find/gazetteer.ts'
import { durationFor } from '../find/numbers.ts'
import type { Kind, Piece } from '../find/piece.ts'
import type { ExpectedType } from '../slot/expected-types.ts'
import { type Slot, slotsOf } from '../slot/slot.ts'
import { type Fillable, fits, type Variables } from '../types.ts'
import { fillTags } from '../variables/tags.ts'
import type { Variable } from '../variables/variables.ts'

const NO_TEXTS: ReadonlySet<Kind> = new Set(['phone', 'email', 'handle', 'percent', 'money'])

/**
 * Returns what to write into a slot for a variable: its tag, or a list that contains the tag. Returns undefined when the variable's value
 * would not be valid, or is null: it must not clear a field that the prompt does not mention.
 */
export function tagFor(check: Fillable['check'], slot: Slot, { tag, value, kind, tooLarge }: Variable, variables: Variables): unknown {
  if (tooLarge || value === null) return undefined
  const found: Piece = { kind: kind === 'date' ? 'tag' : (kind ?? 'tag'), text: tag, start: 0, end: 0 }
  const list = slot.schema.type === 'array' && typeof value !== 'object' ? listOf(slot.schema, slot, found, '') : undefined
  return [tag, list].find((one) => one !== undefined && fits(check, slot.path[0] as string, fillTags(one, variables)))
}

/**
 * Returns the value of a piece for a slot, or for an item of a slot with the schema `schema`; undefined when it has none. The caller still
 * has to validate the value.
 */
export function valueFor(slot: Slot, found: Piece, timeZone: string, schema = slot.schema): unknown {
  if (found.kind === 'tag') return found.text
  switch (schema.type) {
    case 'string':
      return stringOf(schema, slot, found, timeZone)
    case 'number':
    case 'integer':
      return numberOf(schema, slot, found, timeZone)
    case 'boolean':
      return found.kind === 'boolean-cue' ? found.value : undefined
    case 'array':
      return listOf(schema, slot, found, timeZone)
    case 'object':
      return undefined
  }
}

function stringOf(schema: ValueSchema, slot: Slot, found: Piece, timeZone: string): string | undefined {
  if (found.kind === 'choice') return found.value as string
  if (found.kind === 'boolean-cue' || belongsElsewhere(slot, found)) return undefined
  if (schema.enum !== undefined)
    return schema.enum.find((value): value is string => [found.text, found.code].some((said) => isSame(said, value)))
  if (found.datetime !== undefined && (slot.expected.has('date') || slot.expected.has('time')))
    return datetimeText(slot, found.datetime, timeZone)
  if (found.number !== undefined && found.kind !== 'quoted' && slot.expected.has('money')) return asWritten(found.number, found.text)
  if (found.code !== undefined) return isoCodeText(slot, found.text, found.code)
  return found.text
}

function numberOf(schema: ValueSchema, slot: Slot, found: Piece, timeZone: string): number | ExactNumber | undefined {
  if (found.kind === 'choice') return typeof found.value === 'number' ? found.value : undefined
  if (found.datetime?.day && /\bunix\b/i.test(schema.description ?? '')) {
    const instant = datetimeInstant(found.datetime, timeZone)
    if (instant === undefined) return undefined
    const at = Date.parse(instant)
    return /milli/i.test(schema.description ?? '') ? at : at / 1_000
  }
  const duration = durationFor(slot, found)
  if (duration !== undefined) return duration
  const minor = inMinorUnits(schema, found)
  if (minor !== undefined) return minor
  const number = found.number ?? (found.kind === 'quoted' && /^-?\d+(?:\.\d+)?$/.test(found.text) ? Number(found.text) : undefined)
  if (number === undefined) return undefined
  // An id of 64 bits keeps its digits.
  if (!Number.isSafeInteger(number) && /^-?[1-9]\d*$/.test(found.text)) return new ExactNumber(found.text)
  return number
}

function isSame(one: string | undefined, other: unknown): boolean {
  return typeof other === 'string' && one?.toLowerCase() === other.toLowerCase()
}

/** Whether a piece has not the form of the slot's values, or is half of a piece for another slot: "acme/web", "Ada Lovelace". */
function belongsElsewhere({ expected, isId, isSourced, prefix }: Slot, { kind, text }: Piece): boolean {
  if (prefix !== undefined && !text.startsWith(prefix)) return true
  // An ordinary word is an id only after the parameter's name, if another function lists the ids.
  const isWord = !(isSourced && kind === 'named') && !/[\d_/@#-]/.test(text) && text === text.toLowerCase()
  if (isId && kind !== 'quoted' && (isWord || /\s/.test(text))) return true
  if (NO_TEXTS.has(kind) && expected.has('text') && !expected.has(kind as ExpectedType)) return true
  return (kind === 'owner' || kind === 'repo' || kind === 'given' || kind === 'family') && !expected.has(kind)
}

/** Keeps the digits as written: "$25.50" keeps its last zero. */
function asWritten(number: number, text: string): string {
  const digits = text.replace(/[^\d.-]/g, '')
  return Number(digits) === number ? digits : String(number)
}

function listOf(schema: ValueSchema, slot: Slot, found: Piece, timeZone: string): unknown[] | undefined {
  const { items } = schema
  if (items === undefined) return undefined
  const values = (found.members ?? [found]).map((member) =>
    items.type === 'object' ? objectOf(items, member, timeZone) : valueFor(slot, member, timeZone, items),
  )
  return values.length > 0 && values.every((value) => value !== undefined) ? [...new Set(values)] : undefined
}

/** Returns an item with one property: the only required one, or the one whose expected type matches the piece. */
function objectOf({ properties = {}, required = [] }: ValueSchema, found: Piece, timeZone: string): object | undefined {
  if (required.length > 1) return undefined
  const slots = slotsOf({ properties, required })
  const slot = slots.find(({ required: needed }) => needed) ?? slots.find(({ expected }) => expected.has(found.kind as never))
  const value = slot === undefined ? undefined : valueFor(slot, found, timeZone)
  if (slot === undefined || value === undefined) return undefined
  return slot.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object
}

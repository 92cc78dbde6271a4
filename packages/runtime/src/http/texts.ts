import type { ObjectSchema } from '@onward/contract'
import { ExactNumber, isExact } from '@onward/json'

const SPELLINGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
])

/** A decimal number. JavaScript, and so ajv, would also convert `Infinity`, `0x10` and a blank. */
const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

type Schema = ObjectSchema & { readonly items?: unknown }

/**
 * Converts the texts of a query or a form, at any depth, to the numbers and booleans that the schema requires. Changes objects and arrays
 * in place, and returns the value. A number keeps its digits (`ExactNumber`). Booleans have the spellings of published clients. A text that is not a decimal number becomes NaN, which
 * the schema then refuses; ajv would convert `Infinity` and `1e999`, and skip the checks of minimum and maximum for them.
 */
export function convertTexts(value: unknown, schema: unknown): unknown {
  const { type = [], items, properties = {}, additionalProperties } = Object(schema) as Schema
  const types = typeof type === 'string' ? [type] : type
  if (typeof value === 'string') return convertText(value, types.includes('array') ? typesOf(items) : types)
  if (Array.isArray(value)) {
    // ajv accepts a list of one item in place of the item, and an item in place of a list.
    const inner = types.includes('array') ? items : schema
    for (const [i, item] of value.entries()) value[i] = convertTexts(item, inner)
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>
    for (const [name, item] of Object.entries(object)) {
      object[name] = convertTexts(item, Object.hasOwn(properties, name) ? properties[name] : additionalProperties)
    }
  }
  return value
}

function typesOf(schema: unknown): readonly string[] {
  return [(Object(schema) as Schema).type ?? []].flat()
}

function convertText(text: string, types: readonly string[]): unknown {
  // ajv converts an empty text to null where the schema allows it, and otherwise refuses it.
  if (text === '') return text
  const spelled = types.includes('boolean') ? SPELLINGS.get(text) : undefined
  if (spelled !== undefined) return spelled
  const numeric = (types.includes('number') || types.includes('integer')) && !types.includes('string')
  return numeric ? readNumber(text) : text
}

function readNumber(text: string): unknown {
  if (!DECIMAL.test(text)) return Number.NaN
  // JSON has no leading zeros.
  const digits = text.replace(/^(-?)0+(?=\d)/, '$1')
  return isExact(digits) ? Number(digits) : new ExactNumber(digits)
}

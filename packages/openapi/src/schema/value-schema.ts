import { isReservedName, jsonSchemaOf, linearRegExp, type ValueSchema } from '@onward/catalog'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { WrittenNumber } from '../documents/written-number.ts'
import { plainText } from '../text.ts'
import { renameAlternatives } from './alternatives.ts'
import { boundsOf } from './bounds.ts'
import { type Flat, type JsonType, oneType, typeOfValue } from './flat.ts'
import { flatten, type Schemas } from './flatten.ts'

const MAX_DESCRIPTION = 300
/** Property names that every model vendor accepts. */
const INNER_NAME = /^[A-Za-z0-9_.-]{1,64}$/

const CONTAINS_ITSELF = 'an object that contains itself becomes an object with any fields'
const TOO_DEEP = 'deeply nested objects become objects with any fields'

/** Converts a schema of the document to the schema of a parameter. `around` are the schemas that contain this one. */
function toValueSchema(schema: unknown, schemas: Schemas, depth = 1, around: readonly object[] = []): ValueSchema {
  return schemaOf(flatten(schema, schemas), schemas, depth, around)
}

/**
 * Converts a merged schema to the schema of a parameter: one type each, no references. An object is open below `schemas.maxDepth` and when it
 * contains itself. `around` are the schemas that contain this one.
 */
export function schemaOf(flat: Flat, schemas: Schemas, depth = 1, around: readonly object[] = []): ValueSchema {
  const type = oneType(flat.types) ?? impliedType(flat)
  const description = plainText(flat.description ?? '', MAX_DESCRIPTION)
  const choices = choicesOf(type, flat.enum, schemas.maxChoices)
  if (choices === undefined && (flat.enum?.length ?? 0) > schemas.maxChoices) {
    schemas.changes.add(`an enum with more than ${schemas.maxChoices} values accepts any value`)
  }
  const isNumeric = type === 'number' || type === 'integer'
  if (isNumeric && flat.enum?.some(isTooLong)) schemas.changes.add('an enum with numbers of too many digits accepts any value')
  if (isNumeric && isTooLong(flat.keywords.default)) schemas.changes.add('a default with too many digits is left out')
  const value: ValueSchema = {
    type,
    ...(flat.nullable ? { nullable: true } : {}),
    ...(description === '' ? {} : { description }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...boundsOf(type, choices === undefined ? { ...flat, enum: undefined } : flat, schemas.droppedPatterns),
    ...insideOf(type, flat, schemas, depth, around),
  }
  return { ...value, ...defaultOf(flat.keywords.default, value) }
}

/** Returns whether no JavaScript number is close enough to a number of the document. */
function isTooLong(value: unknown): boolean {
  return value instanceof WrittenNumber && value.exact() === undefined
}

/** The type of a value without a documented type: the type of its default or example, or else text. */
function impliedType({ keywords }: Flat): JsonType {
  return oneType([...typeOfValue(keywords.default), ...typeOfValue(keywords.example)]) ?? 'string'
}

type Inside = Pick<ValueSchema, 'properties' | 'required' | 'additionalProperties' | 'items' | 'alternatives'>

function insideOf(type: JsonType, flat: Flat, schemas: Schemas, depth: number, around: readonly object[]): Inside {
  const again = flat.made.some((schema) => around.includes(schema))
  const cut = again || depth >= schemas.maxDepth || schemas.budget < 0
  const path = [...around, ...flat.made]
  switch (type) {
    case 'object':
      if (cut && flat.properties.size > 0) schemas.changes.add(again ? CONTAINS_ITSELF : TOO_DEEP)
      return cut ? { additionalProperties: true } : fields(flat, schemas, depth, path)
    case 'array':
      return { items: cut ? openItem(flat, schemas) : toValueSchema(flat.items, schemas, depth + 1, path) }
    default:
      return {}
  }
}

/** The item of a list that contains itself or is nested too deeply: only its type. */
function openItem(flat: Flat, schemas: Schemas): ValueSchema {
  const item = flatten(flat.items, { ...schemas, budget: 10 })
  const type = oneType(item.types) ?? 'string'
  const typed = { type, ...(item.nullable ? { nullable: true } : {}) }
  if (type === 'object') return { ...typed, additionalProperties: true }
  return type === 'array' ? { ...typed, items: { type: 'object', additionalProperties: true } } : typed
}

function fields(flat: Flat, schemas: Schemas, depth: number, path: readonly object[]): Inside {
  const properties: Record<string, ValueSchema> = {}
  let unnamed = false
  for (const [name, property] of propertiesOf(flat, schemas)) {
    if (schemas.budget >= 0 && INNER_NAME.test(name) && !isReservedName(name))
      properties[name] = schemaOf(property, schemas, depth + 1, path)
    else unnamed = true
  }
  const names = Object.keys(properties)
  if (names.length === 0) return { additionalProperties: additional(flat.additional, schemas, depth, path) }
  const required = names.filter((name) => flat.required.has(name))
  const open = unnamed || flat.additional === true
  const alternatives = renameAlternatives(flat.alternatives, new Map(names.map((name) => [name, name])))
  return {
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(open ? { additionalProperties: true } : {}),
    ...(alternatives && { alternatives }),
  }
}

/** Returns the properties that a caller can set, by name: read-only ones are left out. */
export function propertiesOf(flat: Flat, schemas: Schemas): [name: string, property: Flat][] {
  return [...flat.properties].flatMap(([name, all]): [string, Flat][] => {
    const property = flatten(all.length === 1 ? all[0] : { allOf: all }, schemas)
    return property.readOnly ? [] : [[name, property]]
  })
}

function additional(schema: unknown, schemas: Schemas, depth: number, path: readonly object[]): boolean | ValueSchema {
  if (schema === undefined || typeof schema === 'boolean') return true
  const flat = flatten(schema, schemas)
  return flat.types.length === 0 && flat.properties.size === 0 ? true : schemaOf(flat, schemas, depth + 1, path)
}

/** Returns the values of an enum in the schema's type; undefined when a value does not fit or there are more than `most`. */
function choicesOf(type: JsonType, values: readonly unknown[] | undefined, most: number): (string | number)[] | undefined {
  if (values === undefined || !['string', 'number', 'integer'].includes(type)) return undefined
  const scalars = values.filter((value) => value instanceof WrittenNumber || (value !== null && typeof value !== 'object'))
  const fitting = [...new Set(scalars.map((value) => asType(type, value)))]
  const known = fitting.filter((value) => value !== undefined)
  if (known.length === 0 || known.length < fitting.length || known.length > most) return undefined
  return known
}

/** YAML reads `1` and `true` as number and boolean even where the schema says string. */
function asType(type: JsonType, value: unknown): string | number | undefined {
  if (type === 'string') return String(value)
  const number = value instanceof WrittenNumber ? value.exact() : typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return type === 'number' || Number.isInteger(number) ? number : undefined
}

const ajv = new Ajv({ strict: true, code: { regExp: linearRegExp } })
formats.default(ajv)

/** Returns the default when it is valid against its own schema and is a scalar or a list of scalars. */
function defaultOf(value: unknown, schema: ValueSchema): { default?: unknown } {
  if (value === undefined) return {}
  const fitting = Array.isArray(value) ? value.map((item) => asDefault(item, schema.items)) : asDefault(value, schema)
  return isPlain(fitting) && accepts(schema, fitting) ? { default: fitting } : {}
}

function asDefault(value: unknown, schema: ValueSchema | undefined): unknown {
  const isText = schema?.type === 'string'
  if (value instanceof WrittenNumber) return isText ? value.text : (value.exact() ?? value)
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object'
}

function accepts(schema: ValueSchema, value: unknown): boolean {
  const own = jsonSchemaOf(schema)
  try {
    const check: ValidateFunction = ajv.compile(own)
    return check(value) === true
  } catch {
    return false
  } finally {
    // Otherwise ajv keeps every schema in memory.
    ajv.removeSchema(own)
  }
}

import type { Alternative, ValueSchema } from '@onward/catalog'
import { WrittenNumber } from '../documents/written-number.ts'
import { isObject, type JsonObject, listAt, member, objectAt, textAt } from '../json.ts'

export type JsonType = ValueSchema['type']

/** A schema of the document after references, `allOf` and alternatives are merged, one level deep. */
export type Flat = {
  /** Empty when the document does not say. */
  types: JsonType[]
  /** Whether null is valid. Undefined when the document does not say: then it is only if another schema for the value says so. */
  nullable: boolean | undefined
  description: string | undefined
  /** For each property, all schemas that its value must match. */
  properties: Map<string, unknown[]>
  required: Set<string>
  /** Undefined when the document does not say. */
  additional: unknown
  items: unknown
  enum: unknown[] | undefined
  /** The shapes of an object that was merged from alternatives. */
  alternatives: readonly Alternative[] | undefined
  /** Keywords that are copied unchanged: `format`, `minimum`, `default` and so on. */
  keywords: Record<string, unknown>
  readOnly: boolean
  /** The schema objects that it was made from. They show whether a schema contains itself. */
  made: object[]
}

export function emptyFlat(): Flat {
  return {
    types: [],
    nullable: undefined,
    description: undefined,
    properties: new Map(),
    required: new Set(),
    additional: undefined,
    items: undefined,
    enum: undefined,
    alternatives: undefined,
    keywords: {},
    readOnly: false,
    made: [],
  }
}

/** From the most general type to the most specific. */
const GENERALITY: readonly JsonType[] = ['object', 'array', 'string', 'number', 'integer', 'boolean']

/** Chooses one type for a value that may have several: the most general of them. */
export function oneType(types: readonly JsonType[]): JsonType | undefined {
  return GENERALITY.find((type) => types.includes(type))
}

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])
const KEYWORDS = [
  ...['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'default', 'example', 'contentMediaType', 'contentEncoding'],
]

/** Reads the keywords of one schema object, without `$ref`, `allOf` and alternatives. Works for OpenAPI 2.0, 3.x and JSON Schema. */
export function readKeywords(schema: JsonObject): Flat {
  const flat = emptyFlat()
  flat.made.push(schema)
  flat.description = textAt(schema, 'description') ?? textAt(schema, 'title')
  for (const keyword of KEYWORDS) {
    const value = member(schema, keyword)
    if (value !== undefined && value !== null) flat.keywords[keyword] = value
  }
  const [example] = listAt(schema, 'examples')
  if (example !== undefined) flat.keywords.example ??= example
  for (const [name, property] of Object.entries(objectAt(schema, 'properties'))) flat.properties.set(name, [property])
  for (const name of listAt(schema, 'required')) if (typeof name === 'string') flat.required.add(name)
  flat.additional = additionalOf(schema)
  flat.items = member(schema, 'items') ?? listAt(schema, 'prefixItems')[0]
  if (Array.isArray(flat.items)) flat.items = flat.items[0]
  flat.enum = choicesOf(schema)
  flat.readOnly = member(schema, 'readOnly') === true
  flat.types = typesOf(schema, flat)
  flat.nullable = saysNull(schema) || (member(schema, 'type') === undefined && flat.enum === undefined ? undefined : false)
  return flat
}

/** Whether a schema itself mentions null, in the way of any version: `nullable`, `x-nullable`, a type, or a choice. */
export function saysNull(schema: JsonObject): boolean {
  const types = [member(schema, 'type')].flat()
  return [schema.nullable, schema['x-nullable']].includes(true) || types.includes('null') || choicesOf(schema)?.includes(null) === true
}

function additionalOf(schema: JsonObject): unknown {
  if (Object.hasOwn(schema, 'patternProperties')) return true
  return member(schema, 'additionalProperties') ?? (member(schema, 'unevaluatedProperties') === false ? false : undefined)
}

function choicesOf(schema: JsonObject): unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const]
  const values = member(schema, 'enum')
  return Array.isArray(values) ? values : undefined
}

function typesOf(schema: JsonObject, flat: Flat): JsonType[] {
  const said = member(schema, 'type')
  if (said === 'file') {
    flat.keywords.format = 'binary'
    return ['string']
  }
  const named = (Array.isArray(said) ? said : [said]).filter((type): type is JsonType => TYPES.has(type))
  return named.length > 0 ? named : impliedTypes(schema, flat)
}

/** Many documents omit `type` when another keyword implies it. */
function impliedTypes(schema: JsonObject, flat: Flat): JsonType[] {
  if (flat.properties.size > 0 || isObject(flat.additional)) return ['object']
  if (flat.items !== undefined) return ['array']
  if (flat.enum !== undefined) return [...new Set(flat.enum.flatMap(typeOfValue))]
  if (typeof schema.pattern === 'string' || typeof schema.format === 'string' || schema.minLength !== undefined) return ['string']
  if (schema.minimum !== undefined || schema.maximum !== undefined) return ['number']
  return []
}

/** Returns the JSON type of a value; [] for null. */
export function typeOfValue(value: unknown): JsonType[] {
  if (value instanceof WrittenNumber) return typeOfValue(value.number)
  if (Array.isArray(value)) return ['array']
  if (isObject(value)) return ['object']
  if (typeof value === 'number') return [Number.isInteger(value) ? 'integer' : 'number']
  return typeof value === 'string' || typeof value === 'boolean' ? [typeof value as 'string' | 'boolean'] : []
}

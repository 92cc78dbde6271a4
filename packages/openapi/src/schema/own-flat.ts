import { isObject, type JsonObject, listAt, member, objectAt, textAt } from '../json.ts'
import { emptyFlat, type Flat, type JsonType } from './flat.ts'

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])
const keywords = [
  ...['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'default', 'example', 'contentMediaType', 'contentEncoding'],
]

/** What a schema object itself says, `$ref`, `allOf` and alternatives left aside. Of OpenAPI 2.0, 3.0 and JSON Schema alike. */
export function ownFlat(schema: JsonObject): Flat {
  const flat = emptyFlat()
  flat.made.push(schema)
  flat.description = textAt(schema, 'description') ?? textAt(schema, 'title')
  for (const keyword of keywords) {
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
  return flat
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
  const named = (Array.isArray(said) ? said : [said]).filter((type): type is JsonType => types.has(type))
  return named.length > 0 ? named : impliedTypes(schema, flat)
}

/** Many documents leave `type` out where another keyword tells it. */
function impliedTypes(schema: JsonObject, flat: Flat): JsonType[] {
  if (flat.properties.size > 0 || isObject(flat.additional)) return ['object']
  if (flat.items !== undefined) return ['array']
  if (flat.enum !== undefined) return [...new Set(flat.enum.flatMap(typeOfValue))]
  if (typeof schema.pattern === 'string' || typeof schema.format === 'string' || schema.minLength !== undefined) return ['string']
  if (schema.minimum !== undefined || schema.maximum !== undefined) return ['number']
  return []
}

/** The type of a value of the document's; [] for null. */
export function typeOfValue(value: unknown): JsonType[] {
  if (Array.isArray(value)) return ['array']
  if (isObject(value)) return ['object']
  if (typeof value === 'number') return [Number.isInteger(value) ? 'integer' : 'number']
  return typeof value === 'string' || typeof value === 'boolean' ? [typeof value as 'string' | 'boolean'] : []
}

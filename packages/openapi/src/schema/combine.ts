import { isObject, type JsonObject, objectAt, textAt } from '../json.ts'
import { emptyFlat, type Flat, type JsonType, oneType } from './flat.ts'

/** Merges two schemas that both apply (`allOf`). `first` takes precedence. */
export function intersect(first: Flat, second: Flat): Flat {
  const flat = emptyFlat()
  flat.types = commonTypes(first.types, second.types)
  flat.nullable = first.nullable === undefined ? second.nullable : first.nullable && second.nullable !== false
  flat.description = first.description ?? second.description
  flat.properties = new Map(first.properties)
  for (const [name, schemas] of second.properties) flat.properties.set(name, [...(flat.properties.get(name) ?? []), ...schemas])
  flat.required = new Set([...first.required, ...second.required])
  flat.additional = first.additional === false || second.additional === false ? false : (first.additional ?? second.additional)
  // A part that forbids additional properties does not intend to forbid the other part's properties.
  if (flat.additional === false && flat.properties.size > 0) flat.additional = undefined
  flat.items = first.items ?? second.items
  flat.enum = first.enum && second.enum ? common(first.enum, second.enum) : (first.enum ?? second.enum)
  flat.alternatives = first.alternatives ?? second.alternatives
  flat.keywords = { ...second.keywords, ...first.keywords }
  flat.readOnly = first.readOnly || second.readOnly
  flat.made = [...first.made, ...second.made]
  return flat
}

/** The common values; the values of `first` when the schemas contradict each other. */
function common<T>(first: T[], second: T[]): T[] {
  const shared = first.filter((value) => second.includes(value))
  return shared.length > 0 ? shared : first
}

function commonTypes(first: JsonType[], second: JsonType[]): JsonType[] {
  if (first.length === 0 || second.length === 0) return [...first, ...second]
  if (first.includes('integer') && second.includes('number') && !second.includes('integer')) return ['integer']
  return common(first, second)
}

/**
 * Merges alternatives (`oneOf`, `anyOf`) into one schema. Objects get all properties, required when every alternative requires them; scalars
 * get the most general type. `schema` contains the alternatives and the discriminator.
 */
export function unite(all: readonly Flat[], schema: JsonObject): Flat {
  const type = oneType(all.flatMap((flat) => flat.types))
  const fitting = type === undefined ? all : all.filter((flat) => flat.types.length === 0 || oneType(flat.types) === type)
  const [only] = fitting
  const same = new Set(all.flatMap((flat) => flat.types)).size === 1
  if (only !== undefined && all.length === 1) return only
  if (type === 'object') return eitherObject(fitting, schema)
  const flat = emptyFlat()
  flat.types = type === undefined ? [] : [type]
  flat.description = all.find((each) => each.description !== undefined)?.description
  flat.items = fitting.find((each) => each.items !== undefined)?.items
  if (same && all.every((each) => each.enum !== undefined)) flat.enum = [...new Set(all.flatMap((each) => each.enum ?? []))]
  flat.keywords = only !== undefined && fitting.length === 1 && same ? only.keywords : sharedKeywords(all)
  flat.made = all.flatMap((each) => each.made)
  return flat
}

function eitherObject(objects: readonly Flat[], schema: JsonObject): Flat {
  const flat = emptyFlat()
  flat.types = ['object']
  flat.description = objects.length === 1 ? objects[0]?.description : undefined
  for (const each of objects) {
    for (const [name, schemas] of each.properties) {
      const one = schemas.length === 1 ? schemas[0] : { allOf: schemas }
      flat.properties.set(name, [...(flat.properties.get(name) ?? []), one])
    }
  }
  for (const [name, schemas] of flat.properties) if (schemas.length > 1) flat.properties.set(name, [{ anyOf: distinct(schemas) }])
  const [first, ...others] = objects
  flat.required = new Set([...(first?.required ?? [])].filter((name) => others.every((each) => each.required.has(name))))
  if (objects.some((each) => each.additional === true || isObject(each.additional))) flat.additional = true
  flat.made = objects.flatMap((each) => each.made)
  return withDiscriminator(flat, schema)
}

/** A schema that several alternatives refer to counts once. */
function distinct(schemas: readonly unknown[]): unknown[] {
  const target = (schema: unknown) => (isObject(schema) && Object.keys(schema).length === 1 ? (schema.$ref ?? schema) : schema)
  return [...new Map(schemas.map((schema) => [target(schema), schema])).values()]
}

/** Adds the values of the discriminator's mapping as choices of its property. */
function withDiscriminator(flat: Flat, schema: JsonObject): Flat {
  const discriminator = schema.discriminator
  const name = typeof discriminator === 'string' ? discriminator : textAt(discriminator, 'propertyName')
  if (name === undefined) return flat
  const keys = Object.keys(objectAt(discriminator, 'mapping'))
  const own = flat.properties.get(name)
  const choices = emptyFlat()
  choices.types = ['object']
  const values = keys.length > 0 ? [{ type: 'string', enum: keys }] : []
  if (own !== undefined || values.length > 0) choices.properties.set(name, [...values, ...(own ?? [])])
  flat.properties.delete(name)
  return intersect(flat, choices)
}

/** Bounds apply to one alternative only and are dropped. An example or a default of any alternative is kept. */
function sharedKeywords(all: readonly Flat[]): Record<string, unknown> {
  const found = (name: string) => all.map((each) => each.keywords[name]).find((value) => value !== undefined)
  return Object.fromEntries(['default', 'example'].flatMap((name) => (found(name) === undefined ? [] : [[name, found(name)]])))
}

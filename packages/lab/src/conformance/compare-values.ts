import type { FunctionFile } from '@onward/catalog'
import { isObject, type JsonType, listAt, member, readKeywords, type Schemas, typeOfValue } from '@onward/openapi/conformance'

/**
 * Returns the problem with the type of a value, fixed or a template, or null. `carrier` is `text` in paths, queries and forms: a number may be
 * written as text there, and a list may be joined.
 */
export function valueProblem(value: unknown, fn: FunctionFile, schema: unknown, schemas: Schemas, carrier: 'text' | 'json'): string | null {
  const documented = documentedTypes(schema, schemas)
  const sent = typesSent(value, fn)
  if (documented.size === 0 || sent === null || sent.some((type) => fits(type, documented, carrier))) return null
  return `is ${sent.join(' or ')}, but ${[...documented].join(' or ')} in the document`
}

/** Returns the types that a value of the request can have; null when it is a file or unknown. */
function typesSent(value: unknown, { parameters, files }: FunctionFile): JsonType[] | null {
  if (typeof value !== 'string') return value === null ? null : typeOfValue(value)
  const [, name] = /^\{([A-Za-z_][A-Za-z0-9_-]*)\*?\}$/.exec(value) ?? []
  if (name === undefined) return ['string']
  const schema = parameters?.properties?.[name]
  if (schema === undefined || files?.[name]) return null
  return [schema.type]
}

function fits(type: JsonType, documented: ReadonlySet<JsonType>, carrier: 'text' | 'json'): boolean {
  if (documented.has(type)) return true
  if (type === 'integer' || type === 'number')
    return documented.has('number') || documented.has('integer') || (carrier === 'text' && documented.has('string'))
  if (carrier === 'json') return false
  if (type === 'string') return documented.has('array') || documented.has('object')
  return documented.has('string') || (type === 'array' && documented.size > 0 && !documented.has('object'))
}

const MAX_TRAIL = 30

/** Returns every type that the document allows, including alternatives; empty when the document does not say. */
export function documentedTypes(schema: unknown, schemas: Schemas, trail: readonly object[] = []): ReadonlySet<JsonType> {
  const found = schemas.resolve(schema)
  if (!isObject(found) || trail.includes(found) || trail.length > MAX_TRAIL) return new Set()
  const path = [...trail, found]
  const inner = (keyword: string) =>
    listAt(found, keyword)
      .filter((part) => member(part, 'type') !== 'null' && !isNullableObject(part))
      .map((part) => documentedTypes(part, schemas, path))
  const alternatives = [...inner('oneOf'), ...inner('anyOf')]
  // An alternative without a type allows every type.
  if (member(found, 'type') === undefined && alternatives.some((types) => types.size === 0)) return new Set()
  return new Set([
    ...readKeywords(found).types,
    ...alternatives.flatMap((types) => [...types]),
    ...inner('allOf').flatMap((types) => [...types]),
  ])
}

/** Microsoft's documents write the alternative null as an object without properties. */
function isNullableObject(schema: unknown): boolean {
  return member(schema, 'nullable') === true && member(schema, 'type') === 'object' && member(schema, 'properties') === undefined
}

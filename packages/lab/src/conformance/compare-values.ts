import type { FunctionFile, ValueSchema } from '@onward/catalog'
import { flatten, isObject, type JsonType, listAt, member, readKeywords, type Schemas, typeOfValue } from '@onward/openapi/conformance'

/**
 * Returns the problems of a value, fixed or a template: its type, its choices, its default and its limits. `carrier` is `text` in paths, queries
 * and forms: a number may be written as text there, and a list may be joined.
 */
export function valueProblems(value: unknown, fn: FunctionFile, schema: unknown, schemas: Schemas, carrier: 'text' | 'json'): string[] {
  const documented = documentedTypes(schema, schemas)
  const sent = typesSent(value, fn, carrier)
  if (documented.size > 0 && sent !== null && !sent.some((type) => fits(type, documented, carrier)))
    return [`is ${sent.join(' or ')}, but ${[...documented].join(' or ')} in the document`]
  const parameter = parameterOf(value, fn)
  if (parameter !== undefined) return limitProblems(parameter, schema, schemas)
  const { enum: choices, items } = flatten(schema, schemas)
  if (isTemplate(value)) return []
  // A fixed list is joined with commas.
  return items !== undefined && typeof value === 'string'
    ? choiceProblems('', value.split(','), flatten(items, schemas).enum)
    : choiceProblems('', [value], choices)
}

/** Returns what a parameter accepts although the document does not: choices, a default, numbers, lengths. */
function limitProblems(parameter: ValueSchema, schema: unknown, schemas: Schemas): string[] {
  const flat = flatten(schema, schemas)
  if (parameter.type === 'array' && parameter.items !== undefined && flat.items !== undefined)
    return [...limitProblems(parameter.items, flat.items, schemas), ...tooFar(parameter, flat.keywords, ['maxItems'])]
  // A list that is joined to one text has no choices of its own.
  if (parameter.type === 'array' || parameter.type === 'object') return []
  return [
    ...choiceProblems('offers ', parameter.enum ?? [], flat.enum),
    ...choiceProblems('the default ', parameter.default === undefined ? [] : [parameter.default], flat.enum),
    ...tooFar(parameter, flat.keywords, ['maximum', 'maxLength']),
    ...tooFar(parameter, flat.keywords, ['minimum', 'minLength'], -1),
  ]
}

function choiceProblems(what: string, ours: readonly unknown[], theirs: readonly unknown[] | undefined): string[] {
  const known = new Set(theirs?.map(String))
  const others = ours.filter((value) => !known.has(String(value)) && typeof value !== 'object')
  const some = [...known].slice(0, 8).join(', ')
  return theirs === undefined || others.length === 0 ? [] : [`${what}${others.join(', ')}, but the document has ${some}`]
}

function tooFar(ours: object, theirs: Readonly<Record<string, unknown>>, keywords: readonly string[], sign = 1): string[] {
  return keywords.flatMap((keyword) => {
    const [own, limit] = [member(ours, keyword), theirs[keyword]]
    const beyond = typeof own === 'number' && typeof limit === 'number' && sign * own > sign * limit
    return beyond ? [`${keyword} is ${own}, but ${limit} in the document`] : []
  })
}

/** Returns the parameter that a value is replaced by; undefined when the value is fixed, a file, or put together. */
function parameterOf(value: unknown, { parameters, files }: FunctionFile): ValueSchema | undefined {
  const [, name] = (typeof value === 'string' && ONE_TAG.exec(value)) || []
  return name === undefined || files?.[name] ? undefined : parameters?.properties?.[name]
}

/** Whether the value may be left out of a call: it has a tag of a parameter that is not required and has no default. */
export function mayBeAbsent(value: unknown, { parameters }: FunctionFile): boolean {
  if (typeof value !== 'string') return false
  return [...value.matchAll(/\{([A-Za-z_][A-Za-z0-9_-]*)\*?\}/g)].some(([, name = '']) => {
    const parameter = parameters?.properties?.[name]
    return parameter !== undefined && parameter.default === undefined && parameters?.required?.includes(name) !== true
  })
}

const ONE_TAG = /^\{([A-Za-z_][A-Za-z0-9_-]*)\*?\}$/

function isTemplate(value: unknown): boolean {
  return typeof value !== 'string' ? typeof value === 'object' : /\{[A-Za-z_][\w.-]*\*?\}/.test(value)
}

/** Returns the types that a value of the request can have; null when it is a file or unknown. */
function typesSent(value: unknown, { parameters, files }: FunctionFile, carrier: 'text' | 'json'): JsonType[] | null {
  if (typeof value !== 'string') return value === null ? null : typeOfValue(value)
  const [, name] = ONE_TAG.exec(value) ?? []
  if (name === undefined)
    return carrier === 'text' && /^(?:true|false|\d+)$/.test(value) ? ['string', ...typeOfValue(JSON.parse(value))] : ['string']
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

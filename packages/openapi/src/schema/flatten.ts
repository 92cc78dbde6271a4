import type { Resolve } from '../documents/resolve.ts'
import { isObject, type JsonObject, listAt } from '../json.ts'
import { alternativesOf } from './alternatives.ts'
import { intersect, unite } from './combine.ts'
import { emptyFlat, type Flat, readKeywords, saysNull } from './flat.ts'

/** Limits of the conversion: `budget` schemas in total and `maxDepth` levels. An enum with more than `maxChoices` values is dropped. */
export type Schemas = {
  readonly resolve: Resolve
  readonly maxDepth: number
  readonly maxChoices: number
  budget: number
  /** Patterns of the document that were left out. */
  readonly droppedPatterns: Set<string>
  /** What else is different from the document, as sentences without a full stop. */
  readonly changes: Set<string>
}

/** Maximum length of a chain of references and `allOf`. */
const MAX_TRAIL = 60

/** Merges a schema one level deep. `trail` are the schemas that led here; a repeated schema adds nothing. */
export function flatten(schema: unknown, schemas: Schemas, trail: readonly object[] = []): Flat {
  schemas.budget -= 1
  if (!isObject(schema) || trail.includes(schema) || trail.length > MAX_TRAIL || schemas.budget < 0) return emptyFlat()
  const path = [...trail, schema]
  const flat = typeof schema.$ref === 'string' ? flattenReference(schema, schemas, path) : flattenParts(schema, schemas, path)
  // `nullable: true` beside a reference or allOf applies to the whole, although the parts do not accept null.
  return saysNull(schema) ? { ...flat, nullable: true } : flat
}

function flattenParts(schema: JsonObject, schemas: Schemas, path: readonly object[]): Flat {
  let flat = readKeywords(schema)
  for (const part of listAt(schema, 'allOf')) flat = intersect(flat, flatten(part, schemas, path))
  for (const keyword of ['oneOf', 'anyOf']) {
    const all = listAt(schema, keyword)
    const parts = all.filter((part) => !isNull(schemas.resolve(part)))
    const flats = parts.map((part) => flatten(part, schemas, path))
    if (flats.length > 1) schemas.changes.add(`alternatives (${keyword}) become one schema that accepts all of them`)
    if (all.length === 0) continue
    const nullable =
      parts.length < all.length ||
      flats.some((each) => each.nullable) ||
      (flats.some((each) => each.nullable === false) ? false : undefined)
    const united = flats.length > 0 ? unite(flats, schema) : emptyFlat()
    flat = intersect(flat, {
      ...united,
      nullable,
      alternatives: united.alternatives ?? alternativesOf(schema, parts, flats, schemas.resolve),
    })
  }
  return flat
}

/** OpenAPI 3.1 allows keywords beside a `$ref`. Older documents mostly have a description there, which is used as well. */
function flattenReference(schema: JsonObject, schemas: Schemas, path: readonly object[]): Flat {
  const { $ref: _, ...beside } = schema
  const flat = flatten(schemas.resolve(schema), schemas, path)
  return Object.keys(beside).length === 0 ? flat : intersect(flatten(beside, schemas, path), flat)
}

function isNull(schema: unknown): boolean {
  if (!isObject(schema)) return false
  return schema.type === 'null' || schema.const === null || (Array.isArray(schema.enum) && schema.enum.every((value) => value === null))
}

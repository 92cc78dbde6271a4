import type { Resolve } from '../documents/make-resolver.ts'
import { isObject, type JsonObject, listAt } from '../json.ts'
import { both } from './both.ts'
import { either } from './either.ts'
import { emptyFlat, type Flat } from './flat.ts'
import { ownFlat } from './own-flat.ts'

/** How far schemas are followed: `budget` schemas in all, to `maxDepth` levels. What is beyond is any value; so is one of more than `maxChoices`. */
export type Schemas = { readonly resolve: Resolve; readonly maxDepth: number; readonly maxChoices: number; budget: number }

/** Documents refer to parts of parts, but not so far. */
const MAX_TRAIL = 60

/** Puts a schema together, one level deep. `trail` are the schemas that led here: one that comes again adds nothing. */
export function flatten(schema: unknown, schemas: Schemas, trail: readonly object[] = []): Flat {
  schemas.budget -= 1
  if (!isObject(schema) || trail.includes(schema) || trail.length > MAX_TRAIL || schemas.budget < 0) return emptyFlat()
  const path = [...trail, schema]
  if (typeof schema.$ref === 'string') return flattenReference(schema, schemas, path)
  let flat = ownFlat(schema)
  for (const part of listAt(schema, 'allOf')) flat = both(flat, flatten(part, schemas, path))
  for (const keyword of ['oneOf', 'anyOf']) {
    const parts = listAt(schema, keyword).filter((part) => !isNull(part))
    const flats = parts.map((part) => flatten(part, schemas, path))
    if (flats.length > 0) flat = both(flat, either(flats, schema))
  }
  return flat
}

/** Since OpenAPI 3.1 what stands beside a `$ref` counts; in older documents it is mostly a description that was meant to count. */
function flattenReference(schema: JsonObject, schemas: Schemas, path: readonly object[]): Flat {
  const { $ref: _, ...beside } = schema
  const flat = flatten(schemas.resolve(schema), schemas, path)
  return Object.keys(beside).length === 0 ? flat : both(flatten(beside, schemas, path), flat)
}

function isNull(schema: unknown): boolean {
  if (!isObject(schema)) return false
  return schema.type === 'null' || schema.const === null || (Array.isArray(schema.enum) && schema.enum.every((value) => value === null))
}

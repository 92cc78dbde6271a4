import { isObject, listAt, member } from '../src/json.ts'
import type { JsonType } from '../src/schema/flat.ts'
import type { Schemas } from '../src/schema/flatten.ts'
import { ownFlat } from '../src/schema/own-flat.ts'

const MAX_TRAIL = 30

/** Every type that a value may be of, alternatives counted; empty = the document does not say. */
export function documentedTypes(schema: unknown, schemas: Schemas, trail: readonly object[] = []): ReadonlySet<JsonType> {
  const found = schemas.resolve(schema)
  if (!isObject(found) || trail.includes(found) || trail.length > MAX_TRAIL) return new Set()
  const path = [...trail, found]
  const inner = (keyword: string) =>
    listAt(found, keyword)
      .filter((part) => member(part, 'type') !== 'null')
      .map((part) => documentedTypes(part, schemas, path))
  const alternatives = [...inner('oneOf'), ...inner('anyOf')]
  // An alternative of any type leaves the whole open.
  if (member(found, 'type') === undefined && alternatives.some((types) => types.size === 0)) return new Set()
  return new Set([
    ...ownFlat(found).types,
    ...alternatives.flatMap((types) => [...types]),
    ...inner('allOf').flatMap((types) => [...types]),
  ])
}

import type { FunctionFile, OutputSchema } from '@onward/catalog'
import { type Flat, flatten, isObject, member, readResponse, type Schemas } from '@onward/openapi/conformance'
import { documentedTypes } from './compare-values.ts'
import type { Place } from './vendor-documents.ts'

/** `fields` is how many values of the declared output have a type in the document; null when the document has no response of this shape. */
type Compared = { readonly fields: number | null; readonly problems: readonly string[] }

/** Compares the declared output of a function with the response of the vendor's operation. */
export function compareOutput({ output, response }: FunctionFile, { operation }: Place, schemas: Schemas): Compared {
  if (output === undefined) return { fields: null, problems: [] }
  const pointer = response?.output ?? ''
  let flat = readResponse(operation, schemas).body
  let found: unknown = wholeOf(flat)
  for (const name of pointer.split('/').slice(1)) {
    found = flat.items !== undefined && /^\d+$/.test(name) ? flat.items : propertyOf(flat, name)
    if (found === undefined && isSaid(flat)) return { fields: 0, problems: [`output: the response has no ${pointer}`] }
    flat = flatten(found, schemas)
  }
  return isSaid(flat) ? compare(output, found, schemas, 'output') : { fields: null, problems: [] }
}

/** Returns a schema that means the same as a response that is already merged. */
function wholeOf({ made, types }: Flat): unknown {
  return types.length > 0 ? { type: types, allOf: made } : { allOf: made }
}

function isSaid({ types, properties, items }: Flat): boolean {
  return properties.size > 0 || items !== undefined || types.some((type) => type !== 'object' && type !== 'array')
}

/** Returns the schema of a property; undefined when the document has none. */
function propertyOf({ properties, additional }: Flat, name: string): unknown {
  const found = properties.get(name)
  return found === undefined ? (isObject(additional) ? additional : undefined) : found.length === 1 ? found[0] : { allOf: found }
}

function compare({ type, properties, items }: OutputSchema, schema: unknown, schemas: Schemas, at: string): Compared {
  // Stripe returns the id of such an object unless the request asks for the whole object.
  const documented = member(schema, 'x-expansionResources') === undefined ? documentedTypes(schema, schemas) : new Set(['string'])
  const others = [...documented].filter((each) => each !== type && !(type === 'number' && each === 'integer'))
  if (others.length > 0) return { fields: 1, problems: [`${at}: is ${type}, but ${[...documented].join(' or ')} in the document`] }
  const flat = flatten(schema, schemas)
  const inner = Object.entries(properties ?? {}).map(([name, shape]): Compared => {
    const found = propertyOf(flat, name)
    if (found !== undefined) return compare(shape, found, schemas, `${at}.${name}`)
    const open = flat.properties.size === 0 || flat.additional === true
    return { fields: 0, problems: open ? [] : [`${at}.${name}: the response has no such field`] }
  })
  if (items !== undefined && flat.items !== undefined) inner.push(compare(items, flat.items, schemas, `${at}[]`))
  const own = documented.size > 0 ? 1 : 0
  return { fields: inner.reduce((sum, each) => sum + (each.fields ?? 0), own), problems: inner.flatMap((each) => each.problems) }
}

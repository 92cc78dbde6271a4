import type { FunctionFile } from '@onward/catalog'
import type { JsonType } from '../src/schema/flat.ts'
import type { Schemas } from '../src/schema/flatten.ts'
import { typeOfValue } from '../src/schema/own-flat.ts'
import { documentedTypes } from './documented-types.ts'

/**
 * What is wrong with the type of a value of a request, a template or fixed; null when nothing is. `carrier` is `text` where everything is
 * written as text (paths, queries, forms): there a number may stand for a text and a list be joined to one.
 */
export function valueProblem(value: unknown, fn: FunctionFile, schema: unknown, schemas: Schemas, carrier: 'text' | 'json'): string | null {
  const documented = documentedTypes(schema, schemas)
  const sent = typesSent(value, fn)
  if (documented.size === 0 || sent === null || sent.some((type) => fits(type, documented, carrier))) return null
  return `is ${sent.join(' or ')} here and ${[...documented].join(' or ')} in the document`
}

/** The type that a value of the request comes to; null where it is a file or is not told. */
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

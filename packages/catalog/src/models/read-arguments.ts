import { isStructured, parseJson } from '@onward/json'
import type { ValueSchema } from '../types.ts'
import { objectOf } from '../values/objects.ts'

/**
 * Converts arguments that a model wrote for any of the tool forms to the function's own form, at any depth. A null for an optional property
 * that is not nullable means that it is absent, and a JSON text becomes an object or an array where the schema requires one. Other values are returned unchanged, so that
 * validation reports them. The input is not modified.
 */
export function readArguments(schema: ValueSchema, value: unknown): unknown {
  if (schema.type === 'array') {
    const array = typeof value === 'string' ? parse(value, '[') : value
    return Array.isArray(array) ? array.map((item) => readArguments(schema.items as ValueSchema, item)) : array
  }
  if (schema.type !== 'object') return value
  const object = typeof value === 'string' ? parse(value, '{') : value
  if (!isObject(object)) return object
  const { properties = {}, required = [], additionalProperties } = schema
  const entries: [string, unknown][] = []
  for (const [name, item] of Object.entries(object)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner === undefined)
      entries.push([name, typeof additionalProperties === 'object' ? readArguments(additionalProperties, item) : item])
    else if (item !== null || inner.nullable || required.includes(name)) entries.push([name, readArguments(inner, item)])
  }
  return objectOf(entries)
}

/** Returns the object or array that a text contains; the text itself if it contains none. */
function parse(text: string, begin: '{' | '['): unknown {
  if (!text.trimStart().startsWith(begin)) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isStructured(value) && !Array.isArray(value)
}

import { ExactNumber, isExact, isStructured, parseJson } from '@onward/json'
import type { ValueSchema } from '../types.ts'
import { objectOf } from '../values/objects.ts'

/**
 * Converts arguments that a model wrote for any of the tool forms to the function's own form, at any depth. A null for an optional property
 * that is not nullable means that it is absent. A JSON text becomes an object, an array, a number or a boolean where the schema requires one.
 * Other values are returned unchanged, so that validation reports them. The input is not modified.
 */
export function readArguments(schema: ValueSchema, value: unknown): unknown {
  switch (schema.type) {
    case 'array': {
      const array = typeof value === 'string' ? parse(value, '[') : value
      return Array.isArray(array) ? array.map((item) => readArguments(schema.items as ValueSchema, item)) : array
    }
    case 'object':
      return readObject(schema, typeof value === 'string' ? parse(value, '{') : value)
    case 'number':
    case 'integer':
      return typeof value === 'string' ? readNumber(value) : value
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'string':
      return value
  }
}

function readObject({ properties = {}, required = [], additionalProperties }: ValueSchema, object: unknown): unknown {
  if (!isObject(object)) return object
  const entries: [string, unknown][] = []
  for (const [name, item] of Object.entries(object)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner === undefined)
      entries.push([name, typeof additionalProperties === 'object' ? readArguments(additionalProperties, item) : item])
    else if (item !== null || inner.nullable || required.includes(name)) entries.push([name, readArguments(inner, item)])
  }
  return objectOf(entries)
}

/** Returns the number that a text contains, with all its digits; the text itself if it is not a JSON number. */
function readNumber(text: string): number | string | ExactNumber {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text
  return isExact(text) ? Number(text) : new ExactNumber(text)
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

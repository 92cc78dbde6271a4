import type { ValueSchema } from '../types.ts'
import { objectOf } from '../values/objects.ts'

/**
 * Converts arguments that a model wrote for any of the tool forms to the function's own form, at any depth. A null for an optional property
 * means that it is absent, and a JSON text becomes an object where the schema requires one. Other values are returned unchanged, so that
 * validation reports them. The input is not modified.
 */
export function readArguments(schema: ValueSchema, value: unknown): unknown {
  if (schema.type === 'array') return Array.isArray(value) ? value.map((item) => readArguments(schema.items as ValueSchema, item)) : value
  if (schema.type !== 'object') return value
  const object = typeof value === 'string' ? (parseObject(value) ?? value) : value
  if (!isObject(object)) return object
  const { properties = {}, required = [], additionalProperties } = schema
  const entries = Object.entries(object).flatMap(([name, item]): [string, unknown][] => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner === undefined) return [[name, typeof additionalProperties === 'object' ? readArguments(additionalProperties, item) : item]]
    return item === null && !required.includes(name) ? [] : [[name, readArguments(inner, item)]]
  })
  return objectOf(entries)
}

function parseObject(text: string): object | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

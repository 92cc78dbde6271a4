import { isStructured } from '@onward/json'

/** The greatest array index. */
const GREATEST = '4294967294'

/**
 * Makes an object from entries with keys that a caller chose. `Object.fromEntries` reserves memory for all indexes below a numeric key: 10 KB
 * for `{"1000":1}` alone.
 */
export function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  if (!entries.some(([key]) => /^\d/.test(key))) return Object.fromEntries(entries)
  // After an index this large, V8 stores the indexes of the object in a hash table permanently.
  const object = Object.fromEntries([[GREATEST, null], ...entries])
  if (!entries.some(([key]) => key === GREATEST)) delete object[GREATEST]
  return object
}

/** Returns JSON data with the keys of all objects in one order, so that equal data is written as equal text. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isStructured(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return objectOf(entries.map(([key, item]) => [key, sortKeys(item)]))
}

/** Freezes a value and everything inside it. The check ends the recursion, because functions refer back to their app. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const item of Object.values(value)) deepFreeze(item)
  return value
}

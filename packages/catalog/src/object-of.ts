/** The greatest index there is. */
const GREATEST = '4294967294'

/**
 * An object of these entries, where others chose the keys. `Object.fromEntries` reserves room for all indexes below an index: 10 KB for
 * `{"1000":1}` alone.
 */
export function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  if (!entries.some(([key]) => /^\d/.test(key))) return Object.fromEntries(entries)
  // Once V8 has seen so great an index, it keeps those of the object in a hash table, for good.
  const object = Object.fromEntries([[GREATEST, null], ...entries])
  if (!entries.some(([key]) => key === GREATEST)) delete object[GREATEST]
  return object
}

/** A copy of a value that came from JSON. `structuredClone` reserves room for all indexes below an index: 12 KB for `{"1000":1}` alone. */
export function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

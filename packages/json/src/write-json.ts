import { collectInsertions, MARK } from './insertions.ts'

/** Writes a value as JSON, like `JSON.stringify`. Exact numbers keep their digits, and raw JSON its text. `space` indents as there. */
export function writeJson(value: unknown, space?: number): string {
  const { json, inserted } = collectInsertions(() => JSON.stringify(value, null, space))
  if (inserted.length === 0) return json
  let next = 0
  return json.replaceAll(`"${MARK}"`, () => inserted[next++] as string)
}

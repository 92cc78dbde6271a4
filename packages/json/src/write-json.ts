import { collectInsertions, MARK } from './insertions.ts'

/** Writes a value as JSON, like `JSON.stringify`. Exact numbers keep their digits, and raw JSON its text. */
export function writeJson(value: unknown): string {
  const { json, inserted } = collectInsertions(() => JSON.stringify(value))
  if (inserted.length === 0) return json
  let next = 0
  return json.replaceAll(`"${MARK}"`, () => inserted[next++] as string)
}

/**
 * Whether a value says the same as the right one: numbers and booleans may be text, texts differ in case, spaces and punctuation, the members
 * of lists and objects are compared alike.
 */
export function same(value: unknown, right: unknown): boolean {
  if (value === right) return true
  if (value === undefined || value === null || right === undefined || right === null) return false
  const kinds = new Set([typeof value, typeof right])
  if (kinds.has('boolean')) return String(value).toLowerCase() === String(right).toLowerCase()
  if (kinds.has('number')) return sameNumber(value, right)
  if (Array.isArray(right)) return Array.isArray(value) && value.length === right.length && right.every((item, at) => same(value[at], item))
  if (isRecord(right)) {
    return isRecord(value) && [...new Set([...Object.keys(value), ...Object.keys(right)])].every((key) => same(value[key], right[key]))
  }
  return plain(value) === plain(right)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sameNumber(value: unknown, right: unknown): boolean {
  if (String(value).trim() === '' || String(right).trim() === '') return false
  const [x, y] = [Number(value), Number(right)]
  return Number.isFinite(x) && Number.isFinite(y) && Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(y))
}

function plain(value: unknown): string {
  return String(value)
    .toLowerCase()
    .replace(/[\s,./\-_*^'"`:;!?()]/g, '')
}

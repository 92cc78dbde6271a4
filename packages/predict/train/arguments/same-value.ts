/** Whether two values say the same: letter case, white space and marks apart, and numbers as text or not. */
export function sameValue(one: unknown, other: unknown): boolean {
  return plain(one) === plain(other)
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`
  if (typeof value !== 'object' || value === null) return plainText(String(value))
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, inner]) => `${name}=${plain(inner)}`).join()}}`
}

function plainText(text: string): string {
  if (text.trim() !== '' && Number.isFinite(Number(text))) return String(Number(text))
  return text.toLowerCase().replace(/[\s,./\-_*^'"`:;!?()]/g, '')
}

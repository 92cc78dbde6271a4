/** Returns the limit that someone typed, also with a comma or a space between thousands; undefined if it is none. */
export function readLimit(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^(\d+|\d{1,3}([, \u00A0\u202F]\d{3})+)$/.test(trimmed)) return undefined
  const limit = Number(trimmed.replace(/\D/g, ''))
  return Number.isSafeInteger(limit) ? limit : undefined
}

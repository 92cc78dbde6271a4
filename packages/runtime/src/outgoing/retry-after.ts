/**
 * Returns how many milliseconds a `Retry-After` header asks to wait; undefined if it is not valid. It holds seconds or a date (RFC 9110,
 * 10.2.3). A date without a time zone is in GMT.
 */
export function readRetryAfter(header: string, nowMs: number): number | undefined {
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  // Date.parse finds a date in almost any text.
  if (!/^([A-Z][a-z]{2,8},? |\d{4}-\d{2}-\d{2}T)/.test(text)) return undefined
  const at = Date.parse(/(GMT|UTC|Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : text.includes('T') ? `${text}Z` : `${text} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/**
 * Returns the delay that a `Retry-After` header asks for, in ms; undefined when it is neither a number of seconds nor an HTTP date
 * (RFC 9110, 10.2.3). A date without a time zone is read as GMT.
 */
export function parseRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  // `Date.parse` accepts many texts that are not dates; an HTTP date begins with a weekday.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const date = Date.parse(/GMT|UTC|[+-]\d{4}/.test(text) ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Headers that only the connection or the HTTP client may set. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function isHeaderName(text: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(text)
}

export const LOSES_BLANKS = 'begins or ends with a blank, which a header cannot carry'

/** Whether receivers would drop blanks at the ends of a header value (RFC 9110, 5.5). */
export function losesBlanks(text: string): boolean {
  return /^[\t ]|[\t ]$/.test(text)
}

/** Whether a text is valid as a header value: latin-1 without control characters (RFC 9110, 5.5). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

/** Headers that belong to the connection or to the HTTP client; nobody but them may set these. */
export const connectionHeaders: ReadonlySet<string> = new Set([
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

/** True for text that can be sent as a header value: latin-1 without control characters (RFC 9110, 5.5). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

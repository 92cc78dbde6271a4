import { isUrl } from '@onward/runtime'

const MAX_URI = 2_048

/** The schemes that a browser opens itself. It hands any other scheme over to the program that registered it. */
const OF_BROWSERS =
  /^(javascript|data|vbscript|file|filesystem|blob|about|view-source|ftp|wss?|http|chrome.*|edge|moz-.*|resource|intent):$/
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/** Returns whether browsers may return to this URI: it has https, leads to this computer, or has a private scheme. */
export function isRedirectUri(raw: string): boolean {
  // `URL` would change these characters, so the browser would go elsewhere than the text says.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  if (raw.length > MAX_URI || /[\u0000-\u0020\u007f-\uffff\\#]/.test(raw) || !isUrl(raw)) return false
  const { protocol, username, password } = new URL(raw)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' ? raw.startsWith('https://') : LOOPBACK.test(raw) || !OF_BROWSERS.test(protocol)
}

/** Returns whether a URI is one of those registered. They are compared exactly, except for the port of this computer (RFC 8252, 7.3). */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  return isRedirectUri(uri) && registered.some((each) => each === uri || (LOOPBACK.test(each) && withoutPort(each) === withoutPort(uri)))
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, '$1')
}

/** Returns where a URI leads: a host, or for a private scheme the scheme with its colon. */
export function hostOfRedirect(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

/** Returns a redirect to a URI with parameters added to its query. */
export function redirectTo(uri: string, parameters: Readonly<Record<string, string | null>>): { readonly location: string } {
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return { location: `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(present)}` }
}

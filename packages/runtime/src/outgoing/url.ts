import { isPrivateName, isPublicAddress, literalAddress } from './address.ts'

/** `public`: only https, to public addresses. `local`: also http, loopback and private addresses, for development and tests. */
export type Reach = 'public' | 'local'

const MAX_URL = 2048

/**
 * Returns why a URL from a caller must not be requested, as far as the URL itself shows it; undefined if it is valid. The addresses of its
 * host are checked on connecting.
 */
export function urlProblem(raw: string, reach: Reach): string | undefined {
  if (raw.length > MAX_URL) return `must have at most ${MAX_URL} characters`
  // URL removes tabs and newlines and turns backslashes into slashes, so the checked URL could differ from the caller's URL.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  if (/[\u0000-\u0020\u007f\\]/.test(raw)) return 'must not hold spaces, control characters or backslashes'
  if (!isUrl(raw)) return 'must be a URL'
  const url = new URL(raw)
  if (url.protocol !== 'https:' && !(reach === 'local' && url.protocol === 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (reach === 'public') {
    const literal = literalAddress(url.hostname)
    if (literal !== undefined && !isPublicAddress(literal)) return 'must not point to a private or reserved address'
    if (isPrivateName(url.hostname)) return 'must not point to a private name'
  }
  return undefined
}

/** Returns whether a text is a URL. Node 20's own `URL.canParse` rejects letters such as ü once it has been optimised. */
export function isUrl(text: string, origin?: string | URL): boolean {
  try {
    return new URL(text, origin) instanceof URL
  } catch {
    return false
  }
}

import { isUrl } from '../is-url.ts'
import { isPrivateName, isPublicAddress, literalAddress } from './address.ts'

/** `public`: https to public addresses only. `local`: http, loopback and private addresses too, for development and tests. */
export type Reach = 'public' | 'local'

const MAX_URL = 2048

/** What is wrong with a URL that we are asked to call, as far as the URL itself shows it; undefined when nothing is. */
export function urlProblem(raw: string, reach: Reach): string | undefined {
  if (raw.length > MAX_URL) return `must have at most ${MAX_URL} characters`
  // URL drops tabs and newlines and turns backslashes into slashes; what is checked must be what was meant.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
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

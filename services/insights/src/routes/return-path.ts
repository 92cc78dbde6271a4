import { isUrl } from '@onward/runtime'

/** Longer ones would make a cookie too large. */
const MAX_LENGTH = 1_000
const BASE = 'https://console.invalid/console'

/**
 * Returns the path of the page of the console, below `/console`, to which a sign-in returns. Anything that is not such a path leads to the
 * first page. A path cannot leave the console: `..` is resolved first, and the response is appended to our own address.
 */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) return '/'
  if (!isUrl(BASE + given)) return '/'
  const { origin, pathname, search } = new URL(BASE + given)
  const isPage = origin === new URL(BASE).origin && /^\/console\/(?!(api|oidc|assets|sign-in)(\/|$))/i.test(pathname)
  return isPage ? pathname.slice('/console'.length) + search : '/'
}

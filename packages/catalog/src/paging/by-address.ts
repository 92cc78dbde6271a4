import { compilePointer } from '../answer/pointer.ts'
import { isUrl } from '../is-url.ts'
import type { Base } from '../request/base-url.ts'
import type { Cursor } from '../types.ts'
import type { Paging } from './paging.ts'

/** Any origin will do where only the path and the query count. */
const nowhere = 'https://invalid'

/**
 * The next page's whole address, of which the cursor is path and query: the origin stays the account's own. `keys` are the query keys that
 * auth sets; they never get into a cursor.
 */
export function byAddress(
  pointer: string,
  keys: ReadonlySet<string>,
): Pick<Paging, 'parameters' | 'check' | 'values' | 'address' | 'next'> {
  const read = compilePointer(pointer)
  return {
    parameters: [],
    check: (cursor) => (isAddress(cursor, keys) ? null : 'must be a path with its query, as an answer gave it'),
    values: () => ({}),
    address(cursor, base, problems) {
      if (!isBelow(String(cursor), base)) problems.push("_cursor: must be below the path of the app's own address")
      return String(cursor)
    },
    next({ body, base }) {
      const text = read(body)
      const cursor = typeof text === 'string' ? ownAddress(text, base?.origin ?? nowhere, keys) : null
      return cursor !== null && isAddress(cursor, keys) && (base === null || isBelow(cursor, base)) ? cursor : null
    },
  }
}

/** Path and query of a URL that stays on the origin; null for any other. */
function ownAddress(text: string, origin: string, keys: ReadonlySet<string>): string | null {
  if (!/^(?:\/|https?:\/\/)/i.test(text) || !isUrl(text, origin)) return null
  const url = new URL(text, origin)
  for (const key of keys) if (url.searchParams.has(key)) url.searchParams.delete(key)
  return url.origin === origin ? url.pathname + url.search : null
}

/** Only what the URL parser would leave exactly as it is, and no server could read as a way out of the path. */
function isAddress(cursor: Cursor, keys: ReadonlySet<string>): boolean {
  if (typeof cursor !== 'string' || !cursor.startsWith('/') || !isUrl(cursor, nowhere)) return false
  const url = new URL(cursor, nowhere)
  if (url.origin !== nowhere || url.pathname + url.search !== cursor || climbs(url.pathname)) return false
  return ![...keys].some((key) => url.searchParams.has(key))
}

function isBelow(cursor: string, { prefix }: Base): boolean {
  const [path = ''] = cursor.split('?')
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** Dots are looked for behind any number of encodings: a server may decode more than once. */
function climbs(path: string): boolean {
  const decoded = path.replace(/%(2e|2f|5c|25)/gi, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded.split(/[/\\]/).some((segment) => segment === '.' || segment === '..') || (decoded !== path && climbs(decoded))
}

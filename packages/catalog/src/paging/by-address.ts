import type { Base } from '../auth/base-url.ts'
import type { Cursor } from '../types.ts'
import { compilePointer } from '../values/json-pointer.ts'
import { isUrl } from '../values/names.ts'
import { isNone, NextPageProblem, type Paging } from './paging.ts'

/** A placeholder origin for parsing a path with its query. */
const NO_ORIGIN = 'https://invalid'

/**
 * Pages by a URL in the response. The cursor is its path and query; the origin is always the account's own. `keys` are the query keys
 * that auth sets; they never become part of a cursor.
 */
export function byAddress(
  pointer: string,
  keys: ReadonlySet<string>,
): Pick<Paging, 'parameters' | 'check' | 'values' | 'address' | 'next'> {
  const read = compilePointer(pointer)
  return {
    parameters: [],
    check: (cursor) => (isAddress(cursor, keys) ? null : 'must be the path and query of an earlier response'),
    values: () => ({}),
    address(cursor, base, problems) {
      if (!isBelow(String(cursor), base)) problems.push("_cursor: must be below the path of the app's own address")
      return String(cursor)
    },
    next({ body, base, path }) {
      const text = read(body)
      if (isNone(text)) return null
      const cursor = typeof text === 'string' ? addressOf(text, path ?? base?.prefix ?? '', keys) : null
      if (cursor === null || !isAddress(cursor, keys)) return new NextPageProblem(`${pointer} is not the URL of a page`)
      return base === null || isBelow(cursor, base)
        ? cursor
        : new NextPageProblem(`${pointer} is not below the path of the app's own address`)
    },
  }
}

/**
 * Returns path and query of a URL, which may be relative to the path of the request; null for another text. Behind a proxy, an app may not know
 * the scheme, host and port at which it is called, so they do not matter: the next request goes to the account's own server.
 */
function addressOf(text: string, path: string, keys: ReadonlySet<string>): string | null {
  if (!isUrl(text, NO_ORIGIN + path)) return null
  const url = new URL(text, NO_ORIGIN + path)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  return url.pathname + withoutKeys(url.search, keys)
}

/** Removes keys from a query. Everything else stays as the app wrote it: a signed URL may cover its exact bytes. */
function withoutKeys(search: string, keys: ReadonlySet<string>): string {
  const pairs = search.slice(1).split('&')
  const kept = pairs.filter((pair) => ![...new URLSearchParams(pair).keys()].some((key) => keys.has(key)))
  return kept.length === pairs.length ? search : kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** Whether the URL parser leaves a cursor unchanged and no server can interpret it as a path outside its own folder. */
function isAddress(cursor: Cursor, keys: ReadonlySet<string>): boolean {
  if (typeof cursor !== 'string' || !cursor.startsWith('/') || !isUrl(cursor, NO_ORIGIN)) return false
  const url = new URL(cursor, NO_ORIGIN)
  if (url.origin !== NO_ORIGIN || url.pathname + url.search !== cursor || climbs(url.pathname)) return false
  return ![...keys].some((key) => url.searchParams.has(key))
}

function isBelow(cursor: string, { prefix }: Base): boolean {
  const [path = ''] = cursor.split('?')
  return path === prefix || path.startsWith(`${prefix}/`)
}

/** Looks for dot segments behind any number of encodings, because a server may decode more than once. */
function climbs(path: string): boolean {
  const decoded = path.replace(/%(2e|2f|5c|25)/gi, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded.split(/[/\\]/).some((segment) => segment === '.' || segment === '..') || (decoded !== path && climbs(decoded))
}

import { cutPage, readCursor } from '@onward/runtime'

type Named = { readonly name: string; readonly title: string; readonly description: string }

type ListInput = {
  readonly query: { readonly _cursor?: string; readonly search?: string; readonly page_size: number }
  readonly body: { readonly _cursor?: string | null; readonly search?: string; readonly page_size?: number }
}

/** Words of a search text after these are ignored, so that a long text does not take long. */
const MAX_WORDS = 20

/**
 * Returns a page of the wanted items of a list that is sorted by name. The cursor holds the last name of the page, so that paging stays
 * correct when the catalog changes. Options in the body take precedence over options in the query.
 */
export function pageOf<T>(
  items: readonly T[],
  named: (item: T) => Named,
  { query, body }: ListInput,
  isWanted: (item: T) => boolean,
): { page: T[]; _cursor: string | null } {
  const after = readCursor(body._cursor || query._cursor, ['string'])?.[0]
  const size = body.page_size ?? query.page_size
  const isFound = textFilter(body.search ?? query.search ?? '')
  // There can be 10,000 items, so stop after one more than a page, which shows whether there is a next page.
  const found: T[] = []
  for (let i = firstAfter(items, named, after); i < items.length && found.length <= size; i++) {
    const item = items[i] as T
    if (isWanted(item) && isFound(named(item))) found.push(item)
  }
  return cutPage(found, size, (last) => [named(last).name])
}

/** Returns whether a name, title or description contains each word of a text. */
export function textFilter(search: string): (named: Named) => boolean {
  const words = search.toLowerCase().split(/\s+/, MAX_WORDS)
  return ({ name, title, description }) => {
    const text = `${name}\n${title}\n${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
}

/** Returns the number of the first item whose name comes after `name`, by binary search. */
function firstAfter<T>(items: readonly T[], named: (item: T) => Named, name: string | undefined): number {
  if (name === undefined) return 0
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (named(items[middle] as T).name > name) high = middle
    else low = middle + 1
  }
  return low
}

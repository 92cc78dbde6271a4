import { readCursor, writeCursor } from '@onward/runtime'

type Named = { readonly name: string; readonly title: string; readonly description: string }

export type ListInput = {
  readonly query: { readonly _cursor?: string; readonly search?: string; readonly page_size: number }
  readonly body: { readonly _cursor?: string | null; readonly search?: string; readonly page_size?: number }
}

/**
 * Returns a page of a list that is sorted by name. The cursor holds the last name of the page, so that paging stays correct when the
 * catalog changes. Options in the body take precedence over those in the query.
 */
export function pageOf<T>(
  items: readonly T[],
  named: (item: T) => Named,
  { query, body }: ListInput,
): { page: T[]; _cursor: string | null } {
  const after = readCursor(body._cursor || query._cursor, ['string'])?.[0]
  const size = body.page_size ?? query.page_size
  const search = (body.search ?? query.search ?? '').trim().toLowerCase()
  const rest = items.filter((item) => {
    const { name, title, description } = named(item)
    return (after === undefined || name > after) && (search === '' || `${name}\n${title}\n${description}`.toLowerCase().includes(search))
  })
  const page = rest.slice(0, size)
  const last = page.at(-1)
  return { page, _cursor: rest.length > size && last !== undefined ? writeCursor([named(last).name]) : null }
}

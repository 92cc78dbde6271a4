import { ExactNumber, nearestNumbers } from '@onward/json'
import type { PagingFile } from '../file/app-file.ts'
import type { Cursor } from '../types.ts'
import { compilePointer } from '../values/json-pointer.ts'
import type { Page, Paging } from './paging.ts'

type Style<S extends PagingFile['style']> = Extract<PagingFile, { style: S }>
type ValuePaging = Pick<Paging, 'parameters' | 'check' | 'values' | 'next'>

/** Pages by a cursor in the response, or by the id of the last item or the lowest id. */
export function byText(file: Style<'cursor'> | Style<'last_id'>): ValuePaging {
  const more = compileMore(file.more)
  if (file.style === 'cursor') {
    const next = compilePointer(file.next)
    return byParameter(file.parameter, ({ body }) => ((more(body) ?? true) ? asText(next(body)) : null))
  }
  const id = compilePointer(file.id)
  const idOf = file.lowest ? lowestId : (items: readonly unknown[]) => asText(id(items.at(-1)))
  return byParameter(file.parameter, ({ body, items }) => ((more(body) ?? items.length > 0) ? idOf(items) : null))

  function lowestId(items: readonly unknown[]): string | null {
    const ids = items.map((item) => asText(id(item))).filter((found) => found !== null)
    return ids.reduce<string | null>((lowest, next) => (lowest === null || next < lowest ? next : lowest), null)
  }
}

/** Pages by the `pageInfo` of a GraphQL connection (Relay cursor connections). */
export function byRelay(file: Style<'relay'>): ValuePaging {
  const more = compilePointer(`${file.connection}/pageInfo/hasNextPage`)
  const end = compilePointer(`${file.connection}/pageInfo/endCursor`)
  return byParameter(file.variable ?? 'after', ({ body }) => (more(body) === true ? asText(end(body)) : null))
}

function byParameter(parameter: string, next: (page: Page) => Cursor | null): ValuePaging {
  return {
    parameters: [parameter],
    values: (cursor) => ({ [parameter]: cursor }),
    check: (cursor) => (typeof cursor === 'string' && cursor !== '' ? null : 'must be text that is not empty'),
    next,
  }
}

/** Pages by a page number, or by the number of an item. */
export function byNumber(
  file: Extract<PagingFile, { style: 'page' } | { style: 'offset' }>,
): Pick<Paging, 'parameters' | 'atFirst' | 'check' | 'values' | 'next'> {
  const least = file.first ?? (file.style === 'page' ? 1 : 0)
  const max = file.max ?? Number.MAX_SAFE_INTEGER
  const sendFirst = file.in === 'template' || (file.style === 'page' && file.send_first === true)
  const total = compileCount(file.style === 'page' ? file.total_pages : file.total)
  const more = compileMore(file.more)
  return {
    parameters: [file.parameter],
    atFirst: sendFirst ? { [file.parameter]: least } : {},
    values: (cursor) => ({ [file.parameter]: cursor }),
    check: (cursor) => (Number.isSafeInteger(cursor) && Number(cursor) >= least ? null : `must be a whole number, ${least} or more`),
    next({ body, items, current }) {
      const now = typeof current === 'number' ? current : least
      const next = now + (file.style === 'page' ? 1 : items.length)
      const all = total(body)
      const known = more(body) ?? (all === undefined ? undefined : next < all + least)
      // An empty page does not change the offset, even when the response says that more exists.
      const goesOn = file.style === 'page' ? (known ?? items.length > 0) : items.length > 0 && known !== false
      return goesOn && next <= max ? next : null
    },
  }
}

/** Returns a text or number as a cursor; null for anything else. */
function asText(value: unknown): string | null {
  if (typeof value === 'number' || value instanceof ExactNumber) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads whether more items exist; undefined when the response does not say. */
function compileMore(pointer: string | undefined): (body: unknown) => boolean | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    return value === undefined ? undefined : Boolean(nearestNumbers(value))
  }
}

function compileCount(pointer: string | undefined): (body: unknown) => number | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    return value instanceof ExactNumber ? value.toNumber() : typeof value === 'number' ? value : undefined
  }
}

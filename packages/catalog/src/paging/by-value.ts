import { ExactNumber, nearestNumbers } from '@onward/json'
import type { PagingFile } from '../file/app-file.ts'
import { compilePointer } from '../values/json-pointer.ts'
import { isNone, type NextPage, NextPageProblem, type Page, type Paging } from './paging.ts'

type Style<S extends PagingFile['style']> = Extract<PagingFile, { style: S }>
type ValuePaging = Pick<Paging, 'parameters' | 'check' | 'values' | 'next'>

/** Pages by a cursor in the response, or by the id of the last item or the lowest id. */
export function byText(file: Style<'cursor'> | Style<'last_id'>): ValuePaging {
  const more = compileMore(file.more)
  if (file.style === 'cursor') {
    const next = compilePointer(file.next)
    return byParameter(file.parameter, ({ body, items }) => {
      const known = more(body)
      const found = next(body)
      if (known === false || (isNone(found) && known !== true)) return null
      return (
        (isNone(found) ? null : beyond(file.max_items, Number(found), items)) ??
        asText(found) ??
        new NextPageProblem(isNone(found) ? `${file.next} is missing, ${MORE}` : `${file.next} is neither a text nor a number`)
      )
    })
  }
  const id = compilePointer(file.id)
  const idOf = file.lowest ? lowestId : (items: readonly unknown[]) => asText(id(items.at(-1)))
  return byParameter(file.parameter, ({ body, items }) => {
    const known = more(body)
    if (known === false || known === null) return null
    if (items === undefined) return NO_LIST
    if (items.length === 0) return known === true ? EMPTY : null
    return idOf(items) ?? new NextPageProblem('the items have no id')
  })

  function lowestId(items: readonly unknown[]): string | null {
    const ids = items.map((item) => asText(id(item))).filter((found) => found !== null)
    return ids.reduce<string | null>((lowest, next) => (lowest === null || isLower(next, lowest) ? next : lowest), null)
  }
}

/** Whole numbers are compared by their value: `99` is lower than `100`. */
function isLower(id: string, than: string): boolean {
  return isWhole(id) && isWhole(than) ? BigInt(id) < BigInt(than) : id < than
}

function isWhole(text: string): boolean {
  return /^-?\d+$/.test(text)
}

const MORE = 'although the app says that there are more pages'
const EMPTY = new NextPageProblem(`the page is empty, ${MORE}`)
const NO_LIST = new NextPageProblem('the output is not a list, so it is not known whether there are more pages')

/** Pages by the `pageInfo` of a GraphQL connection (Relay cursor connections). */
export function byRelay(file: Style<'relay'>): ValuePaging {
  const connection = compilePointer(file.connection)
  const more = compileMore(`${file.connection}/pageInfo/hasNextPage`)
  const end = compilePointer(`${file.connection}/pageInfo/endCursor`)
  return byParameter(file.variable ?? 'after', ({ body }) => {
    const known = more(body)
    if (known === false || isNone(connection(body))) return null
    if (known !== true) return NO_PAGE_INFO
    return asText(end(body)) ?? new NextPageProblem(`endCursor is missing, ${MORE}`)
  })
}

const NO_PAGE_INFO = new NextPageProblem('hasNextPage is missing, so it is not known whether there are more pages')

function byParameter(parameter: string, next: (page: Page) => NextPage): ValuePaging {
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
  const step = compileCount(file.style === 'offset' ? file.step : undefined)
  const more = compileMore(file.more)
  return {
    parameters: [file.parameter],
    atFirst: sendFirst ? { [file.parameter]: least } : {},
    values: (cursor) => ({ [file.parameter]: cursor }),
    check: (cursor) => (Number.isSafeInteger(cursor) && Number(cursor) >= least ? null : `must be a whole number, ${least} or more`),
    next({ body, items, current }) {
      const now = typeof current === 'number' ? current : least
      const received = now - least + (file.style === 'page' ? 1 : (items?.length ?? 0))
      const next = Math.max(now + (step(body) ?? 0), received + least)
      const before = (next - least) * (file.style === 'page' ? (items?.length ?? 0) : 1)
      const within = () => beyond(file.max_items, before, items) ?? (next <= max ? next : atMost())
      const all = total(body)
      const said = more(body)
      // A number below what the caller has already received is not one: some apps send 0 or -1 when they do not know it.
      const isTotal = all !== undefined && (all >= received || !items?.length)
      const known = said !== undefined ? said : isTotal ? next < all + least : undefined
      if (known === false || known === null) return null
      if (items === undefined) return known === true && file.style === 'page' ? within() : NO_LIST
      // Without items, an offset stays the same.
      if (items.length === 0) {
        return known !== true ? null : next > now && (file.style === 'offset' || current === null) ? within() : EMPTY
      }
      return within()
    },
  }

  function atMost(): NextPageProblem {
    return new NextPageProblem(`the app has no ${file.style} after ${max}, and there may be more items`)
  }
}

/** Returns a problem if a page that is as long as this one, with `before` items before it, ends after the last item that the app returns. */
function beyond(max: number | undefined, before: number, items: Page['items']): NextPageProblem | null {
  if (max === undefined || !(before + Math.max(items?.length ?? 0, 1) > max)) return null
  return new NextPageProblem(`the app returns at most ${max} items, and there may be more; narrow the search`)
}

/** Returns a text or number as a cursor; null for anything else. */
function asText(value: unknown): string | null {
  if (typeof value === 'number' || value instanceof ExactNumber) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads whether more items exist; undefined when the response does not say, and null when it has null there. */
function compileMore(pointer: string | undefined): (body: unknown) => boolean | null | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    if (value === undefined || value === null) return value
    return typeof value === 'string' ? !/^(?:|0|false)$/i.test(value) : Boolean(nearestNumbers(value))
  }
}

function compileCount(pointer: string | undefined): (body: unknown) => number | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    if (value instanceof ExactNumber) return value.toNumber()
    return typeof value === 'number' ? value : typeof value === 'string' && isWhole(value) ? Number(value) : undefined
  }
}

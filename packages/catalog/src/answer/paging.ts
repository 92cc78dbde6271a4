import type { PagingFile } from '../file/app-file.ts'
import type { Cursor } from '../types.ts'
import { compilePointer } from './pointer.ts'

/** How a function goes from page to page. `current` is the cursor of the page that the answer is of; null = the first. */
export type Paging = {
  readonly place: 'query' | 'body'
  /** The request parameters that are paging's own. */
  readonly parameters: readonly string[]
  check(cursor: Cursor): string | null
  /** What a cursor that `check` let pass puts on the request. */
  values(cursor: Cursor): Readonly<Record<string, unknown>>
  next(body: unknown, page: readonly unknown[], current: Cursor | null): Cursor | null
}

export function compilePaging(file: PagingFile): Paging {
  const place = file.in ?? 'query'
  if (file.style === 'fields') return { place, ...byFields(readFields(file.parameters)) }
  if (file.style === 'next_url') return { place, ...byFields(readUrlFields(file.next, file.parameters)) }
  const shared = { place, parameters: [file.parameter], values: (cursor: Cursor) => ({ [file.parameter]: cursor }) }
  switch (file.style) {
    case 'cursor': {
      const next = compilePointer(file.next)
      return { ...shared, check: checkText, next: (body) => asText(next(body)) }
    }
    case 'last_id': {
      const id = compilePointer(file.id)
      const more = compileMore(file.more)
      return { ...shared, check: checkText, next: (body, page) => ((more(body) ?? page.length > 0) ? asText(id(page.at(-1))) : null) }
    }
    case 'page': {
      const first = file.first ?? 1
      const total = compileCount(file.total_pages)
      const more = compileMore(file.more)
      return {
        ...shared,
        check: (cursor) => checkNumber(cursor, first),
        next(body, page, current) {
          const now = typeof current === 'number' ? current : first
          const pages = total(body)
          const known = more(body) ?? (pages === undefined ? undefined : now - first + 1 < pages)
          return (known ?? page.length > 0) ? now + 1 : null
        },
      }
    }
    case 'offset': {
      const total = compileCount(file.total)
      const more = compileMore(file.more)
      return {
        ...shared,
        check: (cursor) => checkNumber(cursor, 0),
        next(body, page, current) {
          const end = (typeof current === 'number' ? current : 0) + page.length
          const items = total(body)
          const known = more(body) ?? (items === undefined ? undefined : end < items)
          // An empty page moves nothing on, whatever the answer says.
          return page.length > 0 && known !== false ? end : null
        },
      }
    }
  }
}

type Field = { readonly name: string; read(body: unknown): unknown }

function readFields(pointers: Readonly<Record<string, string>>): Field[] {
  return Object.entries(pointers).map(([name, pointer]) => ({ name, read: compilePointer(pointer) }))
}

/** Only the named parameters are taken from the answer's URL, so that it can't send the next request anywhere else. */
function readUrlFields(pointer: string, parameters: readonly string[]): Field[] {
  const next = compilePointer(pointer)
  return parameters.map((name) => ({ name, read: (body) => queryOf(next(body)).get(name) }))
}

function queryOf(url: unknown): URLSearchParams {
  return new URLSearchParams(typeof url === 'string' ? url.replace(/^[^?]*|#.*$/g, '') : '')
}

function byFields(fields: readonly Field[]): Omit<Paging, 'place'> {
  const names = fields.map((field) => field.name)
  return {
    parameters: names,
    values: (cursor) => cursor as Record<string, unknown>,
    check(cursor) {
      const entries = typeof cursor === 'object' ? Object.entries(cursor) : []
      const fits = ([name, value]: [string, unknown]) => names.includes(name) && ['string', 'number', 'boolean'].includes(typeof value)
      return entries.length > 0 && entries.every(fits) ? null : `must be an object of ${names.join(', ')}`
    },
    next(body) {
      const values = fields
        .map(({ name, read }) => [name, read(body)] as const)
        .filter(([, value]) => value !== null && value !== undefined)
      return values.length > 0 ? Object.fromEntries(values) : null
    },
  }
}

function checkText(cursor: Cursor): string | null {
  return typeof cursor === 'string' && cursor !== '' ? null : 'must be text that is not empty'
}

function checkNumber(cursor: Cursor, least: number): string | null {
  return Number.isSafeInteger(cursor) && Number(cursor) >= least ? null : `must be a whole number, ${least} or more`
}

function asText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Whether the answer says that more exists; undefined = it does not say. */
function compileMore(pointer: string | undefined): (body: unknown) => boolean | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    return value === undefined ? undefined : Boolean(value)
  }
}

function compileCount(pointer: string | undefined): (body: unknown) => number | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    return typeof value === 'number' ? value : undefined
  }
}

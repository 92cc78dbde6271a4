import { compilePointer } from '../answer/pointer.ts'
import { findLink } from './find-link.ts'
import type { Page, Paging } from './paging.ts'

type Field = { readonly name: string; read(page: Page): unknown }

/** Several values of the answer, each under its request parameter. */
export function byFields(fields: readonly Field[]): Pick<Paging, 'parameters' | 'check' | 'values' | 'next'> {
  const names = fields.map((field) => field.name)
  return {
    parameters: names,
    values: (cursor) => cursor as Record<string, unknown>,
    check(cursor) {
      const entries = typeof cursor === 'object' ? Object.entries(cursor) : []
      const fits = ([name, value]: [string, unknown]) => names.includes(name) && ['string', 'number', 'boolean'].includes(typeof value)
      return entries.length > 0 && entries.every(fits) ? null : `must be an object of ${names.join(', ')}`
    },
    next(page) {
      const values = fields
        .map(({ name, read }) => [name, read(page)] as const)
        .filter(([, value]) => value !== null && value !== undefined)
      return values.length > 0 ? Object.fromEntries(values) : null
    },
  }
}

export function fromBody(pointers: Readonly<Record<string, string>>): Field[] {
  return Object.entries(pointers).map(([name, pointer]) => {
    const read = compilePointer(pointer)
    return { name, read: ({ body }) => read(body) }
  })
}

/** Only the named parameters are taken from a URL, so that it can't send the next request anywhere else. */
export function fromUrl(pointer: string, names: readonly string[]): Field[] {
  const next = compilePointer(pointer)
  return names.map((name) => ({ name, read: ({ body }) => queryOf(next(body)).get(name) }))
}

export function fromLink(names: readonly string[]): Field[] {
  return names.map((name) => ({ name, read: ({ headers }) => queryOf(findLink(headers.link ?? '', 'next')).get(name) }))
}

function queryOf(url: unknown): URLSearchParams {
  return new URLSearchParams(typeof url === 'string' ? url.replace(/^[^?]*|#.*$/g, '') : '')
}

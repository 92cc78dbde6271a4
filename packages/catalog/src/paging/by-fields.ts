import { ExactNumber } from '@onward/json'
import { compilePointer } from '../values/json-pointer.ts'
import type { Page, Paging } from './paging.ts'

type Field = { readonly name: string; read(page: Page): unknown }

/** Pages by several values of the response, one for each request parameter. */
export function byFields(fields: readonly Field[]): Pick<Paging, 'parameters' | 'check' | 'values' | 'next'> {
  const names = fields.map((field) => field.name)
  return {
    parameters: names,
    values: (cursor) => cursor as Record<string, unknown>,
    check(cursor) {
      const entries = typeof cursor === 'object' ? Object.entries(cursor) : []
      const fits = ([name, value]: [string, unknown]) =>
        names.includes(name) && (['string', 'number', 'boolean'].includes(typeof value) || value instanceof ExactNumber)
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

/**
 * Takes only the named parameters from a URL, so that the URL cannot direct the next request elsewhere. A list of links, each
 * `{rel, href}`, stands for the URL of its link with the `rel` next.
 */
export function fromUrl(pointer: string, names: readonly string[]): Field[] {
  const next = compilePointer(pointer)
  return names.map((name) => ({ name, read: ({ body }) => queryOf(urlOf(next(body))).get(name) }))
}

function urlOf(found: unknown): unknown {
  if (!Array.isArray(found)) return found
  return found.find((link) => link?.rel === 'next')?.href
}

export function fromLink(names: readonly string[]): Field[] {
  return names.map((name) => ({ name, read: ({ headers }) => queryOf(findLink(headers.link ?? '', 'next')).get(name) }))
}

function queryOf(url: unknown): URLSearchParams {
  return new URLSearchParams(typeof url === 'string' ? url.replace(/^[^?]*|#.*$/g, '') : '')
}

const LINK_PARAMETER = /;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

/** Returns the target of the first link with a relation in a Link header (RFC 8288, 3); null when there is none before a syntax error. */
function findLink(header: string, relation: string): string | null {
  const link = /[\s,]*<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y
  for (let found = link.exec(header); found !== null; found = link.exec(header)) {
    const parameters = new Map<string, string>()
    for (const [, name = '', quoted, bare = ''] of (found[2] ?? '').matchAll(LINK_PARAMETER)) {
      // The first of several parameters with one name counts.
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare)
    }
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    // A link with an anchor belongs to another resource.
    if (relations.includes(relation) && !parameters.has('anchor')) return found[1] ?? ''
  }
  return null
}

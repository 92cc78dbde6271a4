import { ExactNumber } from '@onward/json'
import { compilePointer } from '../values/json-pointer.ts'
import { isNone, NextPageProblem, type Page, type Paging } from './paging.ts'

type Values = Readonly<Record<string, unknown>>
/** Returns the values of the next request; null when there is no next page. */
type ReadValues = (page: Page) => Values | null | NextPageProblem

/** Pages by several values of the response, one for each of the request parameters `names`. */
export function byFields(names: readonly string[], read: ReadValues): Pick<Paging, 'parameters' | 'check' | 'values' | 'next'> {
  return {
    parameters: names,
    values: (cursor) => cursor as Values,
    check(cursor) {
      const entries = typeof cursor === 'object' ? Object.entries(cursor) : []
      return entries.length > 0 && entries.every(([name, value]) => names.includes(name) && isSingle(value))
        ? null
        : `must be an object of ${names.join(', ')}`
    },
    next(page) {
      const found = read(page)
      if (found === null || found instanceof NextPageProblem) return found
      const odd = Object.keys(found).find((name) => !isSingle(found[name]))
      return odd === undefined ? found : new NextPageProblem(`the value of ${odd} for the next page is not a single value`)
    },
  }
}

function isSingle(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || value instanceof ExactNumber
}

export function fromBody(pointers: Readonly<Record<string, string>>): ReadValues {
  const fields = Object.entries(pointers).map(([name, pointer]) => [name, compilePointer(pointer)] as const)
  return ({ body }) => {
    const values = fields.map(([name, read]) => [name, read(body)] as const).filter(([, value]) => value !== null && value !== undefined)
    return values.every(([, value]) => isNone(value)) ? null : Object.fromEntries(values)
  }
}

/**
 * Takes only the named parameters from a URL, so that the URL cannot direct the next request elsewhere. The pointer finds the URL, or a list
 * of links `{rel, href}` or `{relation, url}`: then the link with the relation `next` has the URL.
 */
export function fromUrl(pointer: string, names: readonly string[]): ReadValues {
  const next = compilePointer(pointer)
  return ({ body }) => {
    const found = next(body)
    const url = Array.isArray(found) ? urlIn(found) : found
    if (isNone(url)) return null
    return typeof url === 'string' ? valuesOf(url, names, pointer) : new NextPageProblem(`${pointer} is not a URL`)
  }
}

/** Returns the URL of the next page in a list of links, null if there is none, and the list if its links cannot be read. */
function urlIn(links: readonly unknown[]): unknown {
  const read = links.flatMap((link) => {
    const { rel, relation = rel, href, url = href } = Object(link)
    return relation === undefined ? [] : [{ relations: [relation].flat().join(' ').toLowerCase().split(/\s+/), url }]
  })
  if (links.length > 0 && read.length === 0) return links
  const found = read.find(({ relations }) => relations.includes('next'))
  return found === undefined ? null : (found.url ?? links)
}

export function fromLink(names: readonly string[]): ReadValues {
  return ({ headers }) => {
    const target = findLink(headers.link ?? '', 'next')
    return target === null || target instanceof NextPageProblem ? target : valuesOf(target, names, 'the next page in the Link header')
  }
}

function valuesOf(url: string, names: readonly string[], what: string): Values | NextPageProblem {
  const query = new URLSearchParams(url.replace(/^[^?]*|#.*$/g, ''))
  const found = names.filter((name) => query.has(name))
  if (found.length === 0) return new NextPageProblem(`${what} has none of the parameters ${names.join(', ')}`)
  const repeated = found.find((name) => query.getAll(name).length > 1)
  if (repeated !== undefined) return new NextPageProblem(`${what} has the parameter ${repeated} more than once`)
  const values = found.map((name) => [name, query.get(name) ?? ''] as const)
  if (values.every(([, value]) => value === '')) return new NextPageProblem(`${what} has no value for ${found.join(', ')}`)
  // Bytes that are not UTF-8 would become other bytes in the next request.
  const odd = values.find(([, value]) => value.includes('\ufffd'))
  return odd === undefined ? Object.fromEntries(values) : new NextPageProblem(`the value of ${odd[0]} for the next page is not valid UTF-8`)
}

const LINK_PARAMETER = /;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

/**
 * Returns the target of the first link with a relation in a Link header (RFC 8288, 3); null when there is none. After a syntax error that
 * seems to contain the relation, returns a problem.
 */
function findLink(header: string, relation: string): string | null | NextPageProblem {
  let end = 0
  const link = /[\s,]*<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/y
  for (let found = link.exec(header); found !== null; found = link.exec(header)) {
    end = link.lastIndex
    const parameters = new Map<string, string>()
    for (const [, name = '', quoted, bare = ''] of (found[2] ?? '').matchAll(LINK_PARAMETER)) {
      // The first of several parameters with one name counts.
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare)
    }
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
    // A link with an anchor belongs to another resource.
    if (relations.includes(relation) && !parameters.has('anchor')) return found[1] ?? ''
  }
  return header.slice(end).toLowerCase().includes(relation) ? new NextPageProblem('the Link header is not valid') : null
}

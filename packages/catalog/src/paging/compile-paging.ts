import type { Reserved } from '../auth/schemes.ts'
import type { PagingFile, RequestFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import { byAddress } from './by-address.ts'
import { byFields, fromBody, fromLink, fromUrl } from './by-fields.ts'
import { byNumber, byRelay, byText } from './by-value.ts'
import { NextPageProblem, type Paging } from './paging.ts'

const UNREADABLE = new NextPageProblem('the response is not a JSON object or list, so it is not known whether there are more pages')

/** Compiles a function's `paging`. */
export function compilePaging(file: PagingFile, request: RequestFile, reserved: Reserved, at: Path, report: Report): Paging {
  const paging = compileStyle(file, request, reserved, at, report)
  if (file.style === 'link') return paging
  // Some apps answer with an empty body when there are no items.
  return { ...paging, next: (page) => (page.body === null ? null : isReadable(page.body) ? paging.next(page) : UNREADABLE) }
}

/** Text and bytes stand for a body that is not JSON, or has too many values to read. */
function isReadable(body: unknown): boolean {
  return typeof body === 'object' && !(body !== null && 'content_type' in body && 'base64' in body)
}

function compileStyle(file: PagingFile, request: RequestFile, reserved: Reserved, at: Path, report: Report): Paging {
  const shared = { place: file.in ?? 'query', atFirst: {}, address: null } as const
  switch (file.style) {
    case 'cursor':
    case 'last_id':
      return { ...shared, ...byText(file) }
    case 'page':
    case 'offset':
      return { ...shared, ...byNumber(file) }
    case 'fields':
      return { ...shared, ...byFields(Object.keys(file.parameters), fromBody(file.parameters)) }
    case 'link':
      return { ...shared, ...byFields(file.parameters, fromLink(file.parameters)) }
    case 'next_url':
      if (file.parameters) return { ...shared, ...byFields(file.parameters, fromUrl(file.next, file.parameters)) }
      for (const key of ['in', 'request'] as const) if (file[key]) report([...at, key], 'is only for next_url with parameters')
      if (reserved.path) {
        report(at, 'needs parameters, because auth is in the path and a whole URL would reveal it')
      }
      return { ...shared, ...byAddress(file.next, reserved.queryKeys) }
    case 'relay':
      if (request.graphql === undefined) report(at, 'is only for GraphQL requests')
      return { ...shared, ...byRelay(file), place: 'body' }
  }
}

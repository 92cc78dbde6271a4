import type { PagingFile, RequestFile } from '../file/app-file.ts'
import type { Frame } from '../frame.ts'
import type { Path, Report } from '../problems.ts'
import { byAddress } from './by-address.ts'
import { byFields, fromBody, fromLink, fromUrl } from './by-fields.ts'
import { byNumber } from './by-number.ts'
import { byRelay, byText } from './by-text.ts'
import type { Paging } from './paging.ts'

/** Compiles a function's `paging`. */
export function compilePaging(file: PagingFile, request: RequestFile, frame: Frame, at: Path, report: Report): Paging {
  const shared = { place: file.in ?? 'query', atFirst: {}, address: () => null } as const
  switch (file.style) {
    case 'cursor':
    case 'last_id':
      return { ...shared, ...byText(file) }
    case 'page':
    case 'offset':
      return { ...shared, ...byNumber(file) }
    case 'fields':
      return { ...shared, ...byFields(fromBody(file.parameters)) }
    case 'link':
      return { ...shared, ...byFields(fromLink(file.parameters)) }
    case 'next_url':
      if (file.parameters) return { ...shared, ...byFields(fromUrl(file.next, file.parameters)) }
      if (file.in) report([...at, 'in'], 'is only for next_url with parameters')
      if (frame.schemes.some((scheme) => scheme.type === 'custom' && scheme.path !== undefined)) {
        report(at, 'needs parameters, since auth is in the path: a whole URL would show it')
      }
      return { ...shared, ...byAddress(file.next, frame.reserved.queryKeys) }
    case 'relay':
      if (request.graphql === undefined) report(at, 'is only for GraphQL requests')
      return { ...shared, ...byRelay(file), place: 'body' }
  }
}

import type { AppFile, FunctionFile } from '@onward/catalog'
import { compareTexts } from '@onward/openapi/conformance'
import { type Place, segmentsOf, type VendorDocument } from './vendor-documents.ts'

/** `place` is the operation that a function calls. `outside` means that no document describes this part of the API. */
type Found = { readonly place: Place } | { readonly problem: string } | 'outside'

/** Finds the operation that a function calls, by method, host and path. */
export function findOperation(app: AppFile, { request }: FunctionFile, documents: readonly VendorDocument[]): Found {
  const address = request.host === undefined ? app.base_url : `https://${request.host}`
  const [, host = '', base = ''] = /^https:\/\/([^/]+)(.*)$/.exec(address) ?? []
  const ours = segmentsOf(`${base}/${request.path}`)
  const near = documents.filter(
    (document) => [...document.hosts].some((theirs) => fitsHost(host, theirs)) && isWithin(ours, document.scope),
  )
  if (near.length === 0) return 'outside'
  const places = near.flatMap((document) => document.places).filter((place) => fitsHost(host, place.host) && fitsPath(ours, place.path))
  const same = places.filter((place) => place.operation.method === request.method)
  // Of several matching paths, the one with the fewest variables is the most specific.
  const [best] = same.sort((a, b) => variablesIn(a) - variablesIn(b))
  if (best) return { place: best }
  const known = [...new Set(places.map((place) => place.operation.method))].sort(compareTexts)
  return {
    problem:
      known.length > 0 ? `${request.method} ${request.path}: the path only has ${known.join(', ')}` : `${request.path}: no such path`,
  }
}

function isWithin(path: readonly string[], scope: readonly string[]): boolean {
  return scope.every((segment, index) => path[index] === segment)
}

function fitsPath(ours: readonly string[], theirs: readonly string[]): boolean {
  return ours.length === theirs.length && ours.every((segment, index) => fitsSegment(segment, theirs[index] as string))
}

function variablesIn({ path }: Place): number {
  return path.filter((segment) => segment.includes('{}')).length
}

/** Whether a segment matches the document's: a variable there may be a fixed text here, but not the other way round. */
function fitsSegment(ours: string, theirs: string): boolean {
  return fits(ours, theirs, '.+')
}

/** Whether a host matches the document's. A variable matches one label of a host name; `api.` and `www.` are ignored. */
function fitsHost(ours: string, theirs: string): boolean {
  const bare = (host: string) => host.replace(/^(?:api|www)\./, '')
  return fits(bare(ours.replace(/\{[^{}]*\}/g, 'x').toLowerCase()), bare(theirs), '[^.]+')
}

function fits(ours: string, theirs: string, variable: string): boolean {
  const pattern = theirs
    .split('{}')
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(variable)
  return new RegExp(`^${pattern}$`, 'u').test(ours)
}

import type { AppFile, FunctionFile } from '@onward/catalog'
import { compareTexts } from '../src/compare-texts.ts'
import { fitsHost, fitsSegment, segmentsOf } from './segments.ts'
import type { Place, VendorDocument } from './vendor-documents.ts'

/** `place`: the operation that a function calls. `outside`: no document describes that part of the API. */
export type Found = { readonly place: Place } | { readonly problem: string } | 'outside'

/** Finds what a function calls among the vendors' documents, by method, host and path. */
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
  // The path that has the fewest variables in places where ours is fixed is the one that is meant.
  const [best] = same.sort((a, b) => variablesIn(a) - variablesIn(b))
  if (best) return { place: best }
  const known = [...new Set(places.map((place) => place.operation.method))].sort(compareTexts)
  return {
    problem:
      known.length > 0
        ? `${request.method} ${request.path}: the path has ${known.join(', ')} only`
        : `${request.path}: there is no such path`,
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

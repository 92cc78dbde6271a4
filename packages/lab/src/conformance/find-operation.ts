import type { AppFile, FunctionFile } from '@onward/catalog'
import { compareTexts } from '@onward/openapi/conformance'
import { type Place, segmentsOf, type VendorDocument } from './vendor-documents.ts'

/** `place` is the operation that a function calls, or one of the same path when the path does not have the method. `outside` means that no listed document has this path. */
type Found = { readonly place: Place; readonly problem?: string } | 'outside'

/** Finds the operation that a function calls among the documents of its app, by method, host and path. */
export function findOperation(app: AppFile, { request }: FunctionFile, documents: readonly VendorDocument[]): Found {
  const address = request.host === undefined ? app.base_url : `https://${request.host}`
  const [, host = '', base = ''] = /^https:\/\/([^/]+)(.*)$/.exec(address) ?? []
  const ours = segmentsOf(request.path)
  const whole = [...segmentsOf(base), ...ours]
  const places = documents
    .flatMap((document) => document.places)
    .filter(
      (place) => fitsHost(host, place.host) && (fitsPath(whole, place.path) || fitsPath(ours, place.path) || fitsOwn(whole, ours, place)),
    )
  const same = places.filter((place) => place.operation.method === request.method)
  // Of several matching paths, the one with the fewest variables is the most specific.
  const [best] = same.sort((a, b) => variablesIn(a) - variablesIn(b))
  if (best) return { place: best }
  const known = [...new Set(places.map((place) => place.operation.method))].sort(compareTexts)
  const [other] = places
  return other === undefined
    ? 'outside'
    : { place: other, problem: `${request.method} ${request.path}: the path only has ${known.join(', ')}` }
}

/** The path of a server may depend on the account or on its credentials; then only the operation's own path counts. */
function fitsOwn(whole: readonly string[], ours: readonly string[], { path, own, host }: Place): boolean {
  const theirs = path.slice(path.length - own)
  return (
    (host === '' || path.length === own || path.slice(0, -own).some((each) => each.includes('{}'))) &&
    (fitsPath(whole, theirs) || fitsPath(ours, theirs))
  )
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

/**
 * Whether a host matches the document's. A variable matches one label of a host name; `api.` and `www.` are ignored. A host that depends on
 * the account, or that the document does not name, matches every host.
 */
function fitsHost(ours: string, theirs: string): boolean {
  const bare = (host: string) => host.replace(/^(?:api|www)\./, '')
  if (theirs === '' || ours === '' || ours.includes('{')) return true
  return fits(bare(ours.toLowerCase()), bare(theirs), '[^.]+')
}

function fits(ours: string, theirs: string, variable: string): boolean {
  const pattern = theirs
    .split('{}')
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(variable)
  return new RegExp(`^${pattern}$`, 'u').test(ours)
}

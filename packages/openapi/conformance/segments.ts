/** The segments of a path, each variable in it written `{}`. */
export function segmentsOf(path: string): string[] {
  return path
    .replace(/\{[^{}]*\}/g, '{}')
    .split('/')
    .filter((segment) => segment !== '')
}

/** Whether a segment of ours can be the document's: a variable of theirs may be a fixed text of ours, but not the other way round. */
export function fitsSegment(ours: string, theirs: string): boolean {
  return fits(ours, theirs, '.+')
}

/** Whether a host of ours can be the document's; a variable is one part of a host name, and `api.` may be left out. */
export function fitsHost(ours: string, theirs: string): boolean {
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

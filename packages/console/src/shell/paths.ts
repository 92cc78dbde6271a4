/** The part of an address below the base path: `/w/<workspace>/<page>/…`, or `/system/…`, which belongs to no workspace. */
type Address = { readonly page: string; readonly path?: string | undefined }

/** Returns the address of a page below the base path. `path` is what follows the page, encoded; the overview has no path. */
export function pathTo({ page, path }: Address, workspaceId: string): string {
  const root = page === 'system' ? '/system' : `/w/${encodeURIComponent(workspaceId)}${page === 'overview' ? '' : `/${page}`}`
  return path === undefined || path === '' ? root : `${root}/${path}`
}

/** Returns the page of an address, and what follows it, decoded. `page` is empty for the root. */
export function readPath(address: string): { readonly page: string; readonly rest: readonly string[] } {
  const [first = '', ...others] = address
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((part) => part !== '')
  const [page = 'overview', ...rest] = first === 'w' ? others.slice(1) : [first, ...others]
  return { page, rest: rest.map(decoded) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Someone edited the address. The page finds nothing of this name.
    return part
  }
}

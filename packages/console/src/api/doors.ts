/** The API that a request goes to: an admin API, or one of the two areas on behalf of a workspace or a user. */
export type Door = {
  readonly area: 'functions' | 'insights'
  /** The prefix of the paths of a mounted area. */
  readonly under?: string
}

export const functions: Door = { area: 'functions' }
export const insights: Door = { area: 'insights' }

/** Area A on behalf of one user of an application. */
export const areaA = (appKey: string, userId: string): Door => ({
  area: 'functions',
  under: `/admin/applications/${encodeURIComponent(appKey)}/users/${encodeURIComponent(userId)}`,
})

/** Area B on behalf of a workspace. */
export const areaB = (workspaceId: string): Door => ({
  area: 'insights',
  under: `/admin/workspaces/${encodeURIComponent(workspaceId)}`,
})

/**
 * Returns the path of a request below `/console/api`. Throws if a path variable is empty, `.` or `..`: browsers remove such segments, so the
 * request would reach another endpoint.
 */
export function pathOf(
  { area, under = '' }: Door,
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} must not be empty, . or ..`)
    return encodeURIComponent(value)
  })
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return `/${area}${under}${filled}${search === '' ? '' : `?${search}`}`
}

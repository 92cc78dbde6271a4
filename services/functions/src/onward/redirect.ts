import { isUrl, type Reach, urlProblem } from '@onward/runtime'

/** Maximum number of redirects that are followed, one after the other. */
export const MAX_REDIRECTS = 3

const FOLLOWED = [301, 302, 303, 307, 308]

/** Returns the URL to which a response redirects; undefined if it does not, or if the URL must not be requested. */
export function redirectTarget(status: number, location: string | undefined, from: string, reach: Reach): URL | undefined {
  if (!FOLLOWED.includes(status) || location === undefined || !isUrl(location, from)) return undefined
  const target = new URL(location, from)
  const isDowngrade = new URL(from).protocol === 'https:' && target.protocol !== 'https:'
  return isDowngrade || urlProblem(target.href, reach) !== undefined ? undefined : target
}

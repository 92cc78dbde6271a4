import type { Frame } from '../frame.ts'
import { isUrl } from '../is-url.ts'

/** The address that a caller named, if the account's credentials may go there: the app's own origin, or https on one of its `hosts`. */
export function resolveUrl(text: string, origin: string, frame: Frame, problems: string[]): URL | null {
  const problem = problemOf(text, origin, frame)
  if (problem === null) return new URL(text, origin)
  problems.push(`url: ${problem}`)
  return null
}

function problemOf(text: string, origin: string, frame: Frame): string | null {
  if (!/^(?:\/|https?:\/\/)/i.test(text)) return 'must be a path that begins with /, or a full URL'
  // The URL parser drops or rewrites these, so that what is checked would not be what was written.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'must not hold spaces, control characters or backslashes'
  if (!isUrl(text, origin)) return 'is no URL'
  const url = new URL(text, origin)
  if (url.username !== '' || url.password !== '') return 'must not hold a user name'
  const further = url.protocol === 'https:' && url.port === '' && frame.hosts.has(url.hostname)
  if (url.origin !== origin && !further) return "is not on one of the app's own hosts"
  const key = [...frame.reserved.queryKeys].find((name) => url.searchParams.has(name))
  return key === undefined ? null : `must not hold ${key}, which is set from the account`
}

import type { Reach } from '@onward/runtime'
import { isUrl } from '@onward/runtime'

/** What is wrong with an address that browsers are to be sent back to; undefined when nothing is. Http is for this machine, in development. */
export function redirectProblem(raw: string, reach: Reach): string | undefined {
  // URL drops tabs and newlines and turns backslashes into slashes; what is checked must be what was meant.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(raw) || !isUrl(raw)) return 'must be a URL'
  const { protocol, hostname, username, password, hash } = new URL(raw)
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback && reach === 'local')) return 'must be an https URL'
  if (username !== '' || password !== '' || hash !== '' || raw.includes('#')) return 'must hold no user name, password or fragment'
  return undefined
}

/** The same for the origin of a page, such as `https://app.example.com`. */
export function originProblem(raw: string, reach: Reach): string | undefined {
  const problem = redirectProblem(raw, reach)
  if (problem !== undefined) return problem
  return new URL(raw).origin === raw ? undefined : 'must be an origin: https:// and a host, in lower case, without a path'
}

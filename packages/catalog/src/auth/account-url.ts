import { domainToUnicode } from 'node:url'
import type { Path, Report } from '../problems.ts'
import { fillText, type Names, own, parseTemplate, tagsOf } from '../template/template.ts'
import { compilePath } from '../template/url-template.ts'
import type { CredentialField, Credentials } from '../types.ts'
import { isUrl } from '../values/names.ts'

/** `path` is unchanged: no slash is added or removed. */
type Address = { readonly origin: string; readonly path: string }

type AccountUrl = {
  /** The required kind of each setting that the URL contains. */
  readonly kinds: ReadonlyMap<string, CredentialField['kind']>
  /** The account's settings must match `kinds`. */
  fill(account: Credentials, problems: string[]): Address
}

const INVALID: AccountUrl = { kinds: new Map(), fill: () => ({ origin: 'https://invalid', path: '' }) }

/**
 * Compiles an https URL whose host and path may contain account settings. A setting cannot lead to a host outside the fixed domain at the
 * end. In the host, `{account.x*}` may have several labels, such as `acme.my`. For localhost, http is allowed too.
 */
export function compileUrl(text: string, settings: ReadonlySet<string>, at: Path, report: Report): AccountUrl {
  const names: Names = { parameters: {}, required: [], settings }
  const [, host, rest = ''] =
    /^(?:https:\/\/|http:\/\/(?=(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/|$)))([^/?#@\\]+)(\/.*)?$/.exec(text) ?? []
  if (host === undefined) {
    report(at, 'must be https:// with a host and optionally a path; http:// is only for localhost and 127.0.0.1')
    return INVALID
  }
  const template = parseTemplate(host, names, (what) => report(at, what))
  const path = compilePath(rest, names, at, report)
  const tags = tagsOf(template)
  const last = template.at(-1)
  // Otherwise a setting could direct the account's secrets to any host.
  if (tags.length > 0 && !(typeof last === 'string' && /^\.[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(last))) {
    report(at, 'a host that contains a setting must end with a fixed domain, for example {account.subdomain}.example.com')
  }
  if (tags.length === 0 && !isUrl(`https://${host}`)) report(at, 'is not a URL')
  const fixed = tags.length === 0 && isUrl(text) ? new URL(text).origin : null
  return {
    kinds: new Map([
      ...tagsIn(rest, names).map((name) => [name, 'text'] as const),
      ...tags.map((tag) => [settingOf(tag.name), tag.explode ? 'host_parts' : 'host_part'] as const),
    ]),
    fill(account, problems) {
      const input = { args: {}, account }
      return { origin: fixed ?? new URL(`https://${fillText(template, input)}`).origin, path: path(input, problems) }
    },
  }
}

function tagsIn(text: string, names: Names): string[] {
  return tagsOf(parseTemplate(text, names, () => undefined)).map((tag) => settingOf(tag.name))
}

function settingOf(tag: string): string {
  return tag.slice('account.'.length)
}

/** Returns why a value does not fit the kind of its field, or null. */
export function kindProblem(value: string, kind: CredentialField['kind']): string | null {
  switch (kind) {
    case 'text':
    case 'lines':
      return null
    case 'host_part':
      return isHostPart(value) ? null : 'must be one part of a host name: letters, digits, hyphens'
    case 'host_parts':
      return value.split('.').every(isHostPart)
        ? null
        : 'must be the first parts of a host name: letters, digits, hyphens, dots between them'
    case 'url':
      return isServerUrl(value) ? null : 'must be an http or https URL without user name, query or fragment'
  }
}

function isHostPart(text: string): boolean {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(text)) return false
  // Node 24 parses a URL whose Punycode label is not valid; only a valid label decodes to a character outside ASCII.
  return !/^xn--/i.test(text) || /[^\0-\x7f]/.test(domainToUnicode(text))
}

function isServerUrl(text: string): boolean {
  if (!isUrl(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#\s\\]/.test(text)
}

/** Fills the account's settings into a URL of an OAuth scheme. Throws when a setting is missing or would change the host. */
export function fillAccountUrl(template: string, credentials: Credentials): string {
  const problems: string[] = []
  const url = compileUrl(template, new Set(Object.keys(credentials)), [], (_path, what) => problems.push(what))
  for (const [name, kind] of url.kinds) {
    const problem = kindProblem(own(credentials, name) ?? '', kind)
    if (problem !== null) problems.push(`${name}: ${problem}`)
  }
  const filled = problems.length === 0 ? url.fill(credentials, problems) : { origin: '', path: '' }
  if (problems.length > 0) throw new Error(problems.join('; '))
  return `${filled.origin}${filled.path}`
}

/** Fills the account's settings into a text of an OAuth scheme. Throws when a setting is missing. */
export function fillAccountText(template: string, credentials: Credentials): string {
  return template.replace(/\{account\.([a-z][a-z0-9_]*)\}/g, (_tag, name: string) => {
    const value = own(credentials, name)
    if (value === undefined) throw new Error(`${name}: is missing`)
    return value
  })
}

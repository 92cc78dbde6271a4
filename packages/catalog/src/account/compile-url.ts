import { isUrl } from '../is-url.ts'
import type { Path, Report } from '../problems.ts'
import { compilePath } from '../request/path-template.ts'
import { fillText, type Names, parseTemplate, tagsOf } from '../request/template.ts'
import type { CredentialField, Credentials } from '../types.ts'

/** `path` has no slash added or taken away. */
type Address = { readonly origin: string; readonly path: string }

type AccountUrl = {
  /** What each setting that the URL names must be. */
  readonly kinds: ReadonlyMap<string, CredentialField['kind']>
  /** The account's settings have been checked against `kinds`. */
  fill(account: Credentials, problems: string[]): Address
}

const invalid: AccountUrl = { kinds: new Map(), fill: () => ({ origin: 'https://invalid', path: '' }) }

/**
 * Compiles an https URL in whose host and path settings of the account may stand. A setting can't change where the host ends. To this
 * very machine http will do.
 */
export function compileUrl(text: string, settings: ReadonlySet<string>, at: Path, report: Report): AccountUrl {
  const names: Names = { parameters: {}, required: [], settings }
  const [, host, rest = ''] =
    /^(?:https:\/\/|http:\/\/(?=(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/|$)))([^/?#@\\]+)(\/.*)?$/.exec(text) ?? []
  if (host === undefined) {
    report(at, 'must be https:// with a host and perhaps a path')
    return invalid
  }
  const template = parseTemplate(host, names, (what) => report(at, what))
  const path = compilePath(rest, names, at, report)
  const tags = tagsOf(template)
  const last = template.at(-1)
  // Otherwise a setting could name any host, and the account's secrets would go there.
  if (tags.length > 0 && !(typeof last === 'string' && /^\.[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(last))) {
    report(at, 'a host with a setting in it must end with a fixed domain, as {account.subdomain}.example.com')
  }
  if (tags.length === 0 && !isUrl(`https://${host}`)) report(at, 'is no URL')
  const fixed = tags.length === 0 && isUrl(text) ? new URL(text).origin : null
  return {
    kinds: new Map([
      ...tagsIn(rest, names).map((name) => [name, 'text'] as const),
      ...tags.map((tag) => [settingOf(tag.name), 'host_part'] as const),
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

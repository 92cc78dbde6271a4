import type { Report } from '../problems.ts'
import type { CredentialField, Credentials } from '../types.ts'
import { compilePath } from './path-template.ts'
import { fillText, type Names, parseTemplate, tagsOf } from './template.ts'

/** Where an account's requests go: `prefix` is the path that base_url itself has, without a final slash. */
type Base = { readonly origin: string; readonly prefix: string }

export type BaseUrl = {
  /** What each setting that base_url names must be. */
  readonly kinds: ReadonlyMap<string, CredentialField['kind']>
  /** The account's settings have been checked against `kinds`. */
  fill(account: Credentials, problems: string[]): Base
}

const path = ['base_url'] as const

/** Compiles base_url: a fixed address, one with settings in it, or one setting that is the whole address (a self-hosted app). */
export function compileBaseUrl(text: string, settings: ReadonlySet<string>, report: Report): BaseUrl {
  const names: Names = { parameters: {}, required: [], settings }
  const whole = /^\{account\.([^{}]+)\}$/.exec(text)?.[1]
  if (whole !== undefined) {
    if (!settings.has(whole)) report(path, `{account.${whole}} is not in account_settings`)
    return { kinds: new Map([[whole, 'url']]), fill: (account) => readUrl(account[whole] as string) }
  }
  const [, host, rest = ''] = /^https:\/\/([^/?#@\\]+)(\/.*)?$/.exec(text) ?? []
  if (host === undefined) {
    report(path, "must be https:// with a host and perhaps a path, or one account setting, as '{account.url}'")
    return { kinds: new Map(), fill: () => ({ origin: 'https://invalid', prefix: '' }) }
  }
  const template = parseTemplate(host, names, (what) => report(path, what))
  const prefix = compilePath(rest.replace(/\/$/, ''), names, path, report)
  const tags = tagsOf(template)
  const last = template.at(-1)
  // Otherwise a setting could name any host, and the account's secrets would go there.
  if (tags.length > 0 && !(typeof last === 'string' && /^\.[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(last))) {
    report(path, 'a host with a setting in it must end with a fixed domain, as {account.subdomain}.example.com')
  }
  if (tags.length === 0 && !URL.canParse(`https://${host}`)) report(path, 'is no URL')
  const fixed = tags.length === 0 && URL.canParse(text) ? new URL(text).origin : null
  return {
    kinds: new Map(tags.map((tag) => [tag.name.slice('account.'.length), 'host_part'])),
    fill(account, problems) {
      const input = { args: {}, account }
      return { origin: fixed ?? new URL(`https://${fillText(template, input)}`).origin, prefix: prefix(input, problems) }
    },
  }
}

/** The whole URL of a self-hosted app, which `checkCredentials` has let pass. */
function readUrl(text: string): Base {
  const url = new URL(text)
  return { origin: url.origin, prefix: url.pathname.replace(/\/$/, '') }
}

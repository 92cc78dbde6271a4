import type { Report } from '../problems.ts'
import type { CredentialField, Credentials } from '../types.ts'
import { compileUrl } from './account-url.ts'

/** The address of an account's requests. `prefix` is the path of base_url without a final slash. */
export type Base = { readonly origin: string; readonly prefix: string }

export type BaseUrl = {
  /** The required kind of each setting that base_url contains. */
  readonly kinds: ReadonlyMap<string, CredentialField['kind']>
  /** The account's settings must match `kinds`. */
  fill(account: Credentials, problems: string[]): Base
}

const AT = ['base_url'] as const

/** Compiles base_url: a fixed URL, a URL that contains settings, or one setting that is the whole URL (a self-hosted app). */
export function compileBaseUrl(text: string, settings: ReadonlySet<string>, report: Report): BaseUrl {
  const whole = /^\{account\.([^{}]+)\}$/.exec(text)?.[1]
  if (whole !== undefined) {
    if (!settings.has(whole)) report(AT, `{account.${whole}} is not in account_settings`)
    return { kinds: new Map([[whole, 'url']]), fill: (account) => readUrl(account[whole] as string) }
  }
  const url = compileUrl(text.replace(/\/$/, ''), settings, AT, report)
  return {
    kinds: url.kinds,
    fill(account, problems) {
      const filled = url.fill(account, problems)
      return { origin: filled.origin, prefix: filled.path }
    },
  }
}

/** Splits the URL of a self-hosted app, which `checkCredentials` has accepted. */
function readUrl(text: string): Base {
  const url = new URL(text)
  return { origin: url.origin, prefix: url.pathname.replace(/\/$/, '') }
}

import { compileUrl } from '../account/compile-url.ts'
import type { Report } from '../problems.ts'
import type { CredentialField, Credentials } from '../types.ts'

/** Where an account's requests go: `prefix` is the path that base_url itself has, without a final slash. */
export type Base = { readonly origin: string; readonly prefix: string }

export type BaseUrl = {
  /** What each setting that base_url names must be. */
  readonly kinds: ReadonlyMap<string, CredentialField['kind']>
  /** The account's settings have been checked against `kinds`. */
  fill(account: Credentials, problems: string[]): Base
}

const path = ['base_url'] as const

/** Compiles base_url: a fixed address, one with settings in it, or one setting that is the whole address (a self-hosted app). */
export function compileBaseUrl(text: string, settings: ReadonlySet<string>, report: Report): BaseUrl {
  const whole = /^\{account\.([^{}]+)\}$/.exec(text)?.[1]
  if (whole !== undefined) {
    if (!settings.has(whole)) report(path, `{account.${whole}} is not in account_settings`)
    return { kinds: new Map([[whole, 'url']]), fill: (account) => readUrl(account[whole] as string) }
  }
  const url = compileUrl(text.replace(/\/$/, ''), settings, path, report)
  return {
    kinds: url.kinds,
    fill(account, problems) {
      const filled = url.fill(account, problems)
      return { origin: filled.origin, prefix: filled.path }
    },
  }
}

/** The whole URL of a self-hosted app, which `checkCredentials` has let pass. */
function readUrl(text: string): Base {
  const url = new URL(text)
  return { origin: url.origin, prefix: url.pathname.replace(/\/$/, '') }
}

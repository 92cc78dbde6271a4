import type { Path, Report } from '../problems.ts'
import { compilePath } from '../template/url-template.ts'
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

/** Compiles base_url: a fixed URL, a URL that contains settings, or a setting with a whole URL (a self-hosted app) and maybe a fixed path. */
export function compileBaseUrl(text: string, settings: ReadonlySet<string>, at: Path, report: Report): BaseUrl {
  const [, whole, path = ''] = /^\{account\.([^{}]+)\}(\/[^{}]*)?$/.exec(text) ?? []
  if (whole !== undefined) {
    if (!settings.has(whole)) report(at, `{account.${whole}} is not in account_settings`)
    const rest = compilePath(path.replace(/\/$/, ''), { parameters: {}, required: [], settings }, at, report)
    return {
      kinds: new Map([[whole, 'url']]),
      fill(account, problems) {
        const { origin, prefix } = readUrl(account[whole] as string)
        return { origin, prefix: prefix + rest({ args: {}, account }, problems) }
      },
    }
  }
  const url = compileUrl(text.replace(/\/$/, ''), settings, at, report)
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

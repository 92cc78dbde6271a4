import { compileUrl } from '../account/compile-url.ts'
import type { Report } from '../problems.ts'
import type { CredentialField, Scheme } from '../types.ts'

type Kinds = ReadonlyMap<string, CredentialField['kind']>

/** What each setting must be, by base_url and by the URLs of the schemes; a setting can't be a whole URL and a part of a host. */
export function joinKinds(base: Kinds, schemes: readonly Scheme[], settings: ReadonlySet<string>, report: Report): Kinds {
  const kinds = new Map(base)
  for (const url of schemes.flatMap(urlsOf)) {
    // What is wrong with the URL itself is reported with its scheme.
    for (const [name, kind] of compileUrl(url, settings, [], () => undefined).kinds) {
      if (kinds.get(name) === 'url') report(['account_settings', name], 'is a whole URL in base_url, and can not be a part of another')
      else if (kind === 'host_part' || !kinds.has(name)) kinds.set(name, kind)
    }
  }
  return kinds
}

function urlsOf(scheme: Scheme): string[] {
  if (!('token_url' in scheme)) return []
  const others = scheme.type === 'oauth2' ? [scheme.authorization_url, scheme.revocation_url ?? scheme.token_url] : []
  return [scheme.token_url, ...others]
}

import type { Path, Report } from '../problems.ts'
import { CONNECTION_HEADERS, isHeaderName } from '../template/header-text.ts'
import type { CredentialField, Scheme } from '../types.ts'
import { isReservedName } from '../values/names.ts'
import { compileUrl } from './account-url.ts'
import { kindOf, storedFields } from './schemes.ts'

/** A scheme and its path in the app file. */
export type PlacedScheme = { readonly scheme: Scheme; readonly at: Path }

/** Reports the problems of `auth` that the schema of the format cannot express. `settings` are the names of the account settings. */
export function checkSchemes(schemes: readonly PlacedScheme[], settings: ReadonlySet<string>, report: Report): void {
  const types = new Set<string>()
  const schemeByField = new Map<string, string>()
  for (const { scheme, at } of schemes) {
    const kind = kindOf(scheme)
    if (types.has(scheme.type)) report([...at, 'type'], `there is another scheme of type ${scheme.type}`)
    types.add(scheme.type)
    checkFields(scheme, at, settings, schemeByField, report)
    for (const name of kind.headers(scheme)) {
      if (!isHeaderName(name)) report(at, `${name} is not a header name`)
      if (CONNECTION_HEADERS.has(name.toLowerCase())) report(at, `${name} is set by the HTTP client only`)
    }
    kind.check(scheme, settings, at, report)
  }
}

/**
 * The scheme of an account is recognised by its fields, so a field may belong to one scheme only. Token fields are shared by all OAuth
 * schemes.
 */
function checkFields(scheme: Scheme, at: Path, settings: ReadonlySet<string>, schemeByField: Map<string, string>, report: Report): void {
  const shared = new Set(
    kindOf(scheme)
      .tokenFields(scheme)
      .map(({ name }) => name),
  )
  for (const { name } of storedFields(scheme)) {
    if (isReservedName(name)) report([...at, 'fields', name], 'is a reserved name')
    if (settings.has(name)) report(['account_settings', name], 'is the name of a field of auth')
    const other = schemeByField.get(name)
    if (other !== undefined && !(shared.has(name) && other === 'token')) report(at, `the field ${name} belongs to another scheme too`)
    schemeByField.set(name, shared.has(name) ? 'token' : scheme.type)
  }
}

type Kinds = ReadonlyMap<string, CredentialField['kind']>

/** Returns the kind of each setting, given by the base URLs and the URLs of the schemes. A whole URL cannot also be a part of a host. */
export function settingKinds(bases: readonly Kinds[], schemes: readonly Scheme[], settings: ReadonlySet<string>, report: Report): Kinds {
  const kinds = new Map<string, CredentialField['kind']>()
  const urls = schemes.flatMap((scheme) => kindOf(scheme).urls(scheme))
  // Problems with a URL itself are reported by the check of its scheme.
  const others = urls.map((url) => compileUrl(url, settings, [], () => undefined).kinds)
  for (const [name, kind] of [...bases, ...others].flatMap((part) => [...part])) {
    const known = kinds.get(name)
    if (known !== undefined && (known === 'url') !== (kind === 'url')) {
      report(['account_settings', name], 'is a whole URL in base_url and cannot be a part of another URL')
    } else if (known === undefined || known === 'text' || kind === 'host_part') kinds.set(name, kind)
  }
  return kinds
}

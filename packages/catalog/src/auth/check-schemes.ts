import type { AppFile } from '../file/app-file.ts'
import { checkName } from '../parameters.ts'
import type { Path, Report } from '../problems.ts'
import { connectionHeaders, isHeaderName } from '../request/header-text.ts'
import type { Scheme } from '../types.ts'
import { checkTemplates } from './check-templates.ts'
import { checkTokenEndpoint } from './check-token-endpoint.ts'
import { headersOf } from './places.ts'
import { storedFields, tokenFields } from './scheme-fields.ts'

/** The schemes of a file, each with its place in it. */
export function readSchemes(file: AppFile): { scheme: Scheme; at: Path }[] {
  if (!isList(file.auth)) return [{ scheme: file.auth, at: ['auth'] }]
  return file.auth.map((scheme, index) => ({ scheme, at: ['auth', index] }))
}

/** Reports what the shape alone does not show to be wrong with `auth`. */
export function checkSchemes(file: AppFile, report: Report): void {
  const settings = new Set(Object.keys(file.account_settings ?? {}))
  const types = new Set<string>()
  const owners = new Map<string, string>()
  for (const { scheme, at } of readSchemes(file)) {
    if (types.has(scheme.type)) report([...at, 'type'], `there is another scheme of type ${scheme.type}`)
    types.add(scheme.type)
    checkFields(scheme, at, settings, owners, report)
    for (const name of headersOf(scheme)) {
      if (!isHeaderName(name)) report(at, `${name} is not a header name`)
      if (connectionHeaders.has(name.toLowerCase())) report(at, `${name} is set by the HTTP client only`)
    }
    checkTemplates(scheme, at, report)
    checkTokenEndpoint(scheme, settings, at, report)
  }
}

/** An account's scheme is known by the fields that it holds, so each has one owner. */
function checkFields(scheme: Scheme, at: Path, settings: ReadonlySet<string>, owners: Map<string, string>, report: Report): void {
  const shared = new Set(tokenFields(scheme).map(({ name }) => name))
  for (const { name } of storedFields(scheme)) {
    checkName(name, [...at, 'fields'], report)
    if (settings.has(name)) report(['account_settings', name], 'is the name of a field of auth')
    const owner = owners.get(name)
    if (owner !== undefined && !(shared.has(name) && owner === 'token')) report(at, `the field ${name} is one of another scheme too`)
    owners.set(name, shared.has(name) ? 'token' : scheme.type)
  }
}

function isList(auth: AppFile['auth']): auth is readonly Scheme[] {
  return Array.isArray(auth)
}

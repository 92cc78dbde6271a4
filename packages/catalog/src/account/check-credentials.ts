import { storedFields } from '../auth/scheme-fields.ts'
import { schemeOf } from '../auth/scheme-of.ts'
import { own } from '../request/template.ts'
import type { App, Credentials, Scheme } from '../types.ts'
import { compileFieldChecks } from './field-checks.ts'
import { credentialFields } from './fields.ts'
import { settingsFor } from './settings-for.ts'

/**
 * Problems with what an account is to hold, `"<field>: <what is wrong>"`; [] when it can be stored. It must fit one scheme of the app;
 * where it fits none, the problems are those of the nearest.
 */
export function checkCredentials(app: App, credentials: unknown): string[] {
  if (typeof credentials !== 'object' || credentials === null || Array.isArray(credentials)) return ['credentials: must be an object']
  const scheme = schemeOf(app, credentials as Credentials) ?? nearest(app.schemes, credentials)
  const fields = storedFields(scheme)
  const settings = settingsFor(scheme, app.accountSettings)
  const known = new Set([...fields, ...app.accountSettings].map(({ name }) => name))
  const elsewhere = new Set(credentialFields(app).map(({ name }) => name))
  const strange = Object.keys(credentials)
    .filter((name) => !known.has(name))
    .map((name) => `${name}: ${elsewhere.has(name) ? 'belongs to another way to connect' : `is not a field of ${app.name} accounts`}`)
  return [...compileFieldChecks(scheme, fields, settings)(credentials), ...strange]
}

/** The scheme most of whose fields are there; the first of several. */
function nearest(schemes: readonly Scheme[], credentials: object): Scheme {
  const held = (scheme: Scheme) => storedFields(scheme).filter(({ name }) => own(credentials as Credentials, name) !== undefined).length
  return schemes.reduce((best, scheme) => (held(scheme) > held(best) ? scheme : best))
}

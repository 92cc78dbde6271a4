import { own } from '../template/template.ts'
import type { App, Credentials, Scheme } from '../types.ts'
import { compileFieldChecks, credentialFields, settingsFor } from './account-fields.ts'
import { schemeOf, storedFields } from './schemes.ts'

/**
 * Returns the problems with the credentials of an account, `"<field>: <problem>"`; [] when they can be stored. They must match one scheme
 * of the app. When they match none, returns the problems with the scheme that matches best.
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
    .map((name) => `${name}: ${elsewhere.has(name) ? 'belongs to another scheme' : `is not a field of ${app.name} accounts`}`)
  return [...compileFieldChecks(scheme, fields, settings)(credentials), ...strange]
}

/** Returns the first of the schemes that have the most fields in common with the credentials. */
function nearest(schemes: readonly Scheme[], credentials: object): Scheme {
  const held = (scheme: Scheme) => storedFields(scheme).filter(({ name }) => own(credentials as Credentials, name) !== undefined).length
  return schemes.reduce((best, scheme) => (held(scheme) > held(best) ? scheme : best))
}

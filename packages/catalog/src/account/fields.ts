import { storedFields, typedFields } from '../auth/scheme-fields.ts'
import type { App, CredentialField, Scheme } from '../types.ts'
import { settingsFor } from './settings-for.ts'

/** What a person types to connect an account by the scheme: the scheme's own fields, then the settings that do not come by themselves. */
export function connectFields(app: Pick<App, 'accountSettings'>, scheme: Scheme): readonly CredentialField[] {
  const given = scheme.type === 'oauth2' ? (scheme.settings ?? {}) : {}
  return [...typedFields(scheme), ...settingsFor(scheme, app.accountSettings).filter(({ name }) => !Object.hasOwn(given, name))]
}

/** All that an account of the app may hold, whichever its scheme: secrets, tokens, settings. */
export function credentialFields(app: Pick<App, 'schemes' | 'accountSettings'>): readonly CredentialField[] {
  const fields = [...app.schemes.flatMap(storedFields), ...app.accountSettings]
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}

import type { CredentialField, Scheme } from '../types.ts'

/** The settings that an account of the scheme has. */
export function settingsFor(scheme: Scheme, settings: readonly CredentialField[]): readonly CredentialField[] {
  return settings.filter(({ only }) => only === undefined || only.includes(scheme.type))
}

/** The types of the schemes that alone name a setting; undefined when the rest of the file names it too, or nothing does. */
export function onlyFor(setting: string, schemes: readonly Scheme[], rest: object): readonly Scheme['type'][] | undefined {
  const tag = `{account.${setting}}`
  const naming = schemes.filter((scheme) => JSON.stringify(scheme).includes(tag))
  return naming.length === 0 || naming.length === schemes.length || JSON.stringify(rest).includes(tag)
    ? undefined
    : naming.map(({ type }) => type)
}

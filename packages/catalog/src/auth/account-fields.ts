import { own } from '../template/template.ts'
import type { App, CredentialField, Credentials, Scheme } from '../types.ts'
import { type LinearPattern, linearPattern } from '../values/linear-pattern.ts'
import { kindProblem } from './account-url.ts'
import { kindOf, storedFields } from './schemes.ts'

/** Returns the fields to enter when connecting an account: the scheme's fields, then the settings that the OAuth flow does not supply. */
export function connectFields(app: Pick<App, 'accountSettings' | 'help'>, scheme: Scheme): readonly CredentialField[] {
  const supplied = kindOf(scheme).suppliedSettings(scheme)
  const settings = settingsFor(scheme, app.accountSettings).filter(({ name }) => !supplied.includes(name))
  return [...kindOf(scheme).enteredFields(scheme), ...settings].map((field) => ({ ...field, help: app.help[field.name] }))
}

/** Returns every field that an account of the app may have, with any scheme: secrets, tokens and settings. */
export function credentialFields(app: Pick<App, 'schemes' | 'accountSettings'>): readonly CredentialField[] {
  const fields = [...app.schemes.flatMap(storedFields), ...app.accountSettings]
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}

/** Returns the credentials with the defaults of settings that they lack. */
export function withDefaults({ accountSettings }: Pick<App, 'accountSettings'>, credentials: Credentials): Credentials {
  const lacking = accountSettings.filter((setting) => setting.default !== undefined && own(credentials, setting.name) === undefined)
  if (lacking.length === 0) return credentials
  return { ...Object.fromEntries(lacking.map((setting) => [setting.name, setting.default as string])), ...credentials }
}

/** Returns the settings that an account of the scheme needs. */
export function settingsFor(scheme: Scheme, settings: readonly CredentialField[]): readonly CredentialField[] {
  return settings.filter(({ only }) => only === undefined || only.includes(scheme.type))
}

type Check = (credentials: object) => string[]

/** Compiles the checks of the given fields and settings. Other members of the credentials are not checked. */
export function compileFieldChecks(scheme: Scheme, fields: readonly CredentialField[], settings: readonly CredentialField[]): Check {
  const checks = [
    ...fields.map((field) =>
      compileCheck(field, kindOf(scheme).fieldRule(scheme, field.name), kindOf(scheme).mayBeEmpty(scheme, field.name)),
    ),
    ...settings.map((field) => compileCheck(field, () => null, false)),
  ]
  return (credentials) => checks.flatMap((check) => check(credentials))
}

/** Compiles the check of one field. `rule` is the rule of its scheme. */
export function compileCheck(field: CredentialField, rule: (value: string) => string | null, empty: boolean): Check {
  // Compiled on first use, because a process has accounts of few apps.
  let pattern: LinearPattern | undefined
  function problemOf(value: unknown): string | null {
    if (value === undefined) return field.required ? 'is missing' : null
    if (typeof value !== 'string') return 'must be text'
    if (value === '') return empty ? null : 'must not be empty'
    if (hasControls(field.kind === 'lines' ? value.replace(/[\t\r\n]/g, '') : value)) {
      return 'must not contain line breaks or other control characters'
    }
    if (/\p{Surrogate}/u.test(value)) return 'is not well-formed text'
    if (field.pattern !== undefined) {
      pattern ??= linearPattern(field.pattern)
      if (!pattern.test(value)) return `must match ${pattern.source}`
    }
    return rule(value) ?? kindProblem(value, field.kind)
  }
  return (credentials) => {
    const problem = problemOf(own(credentials as Record<string, unknown>, field.name))
    return problem === null ? [] : [`${field.name}: ${problem}`]
  }
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
  return /[\u0000-\u001f\u007f]/.test(text)
}

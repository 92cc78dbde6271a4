import { fieldRule } from '../auth/field-rule.ts'
import { own } from '../request/template.ts'
import type { CredentialField, Scheme } from '../types.ts'
import { kindProblem } from './kind-problem.ts'

type Check = (credentials: object) => string[]

/** Compiles the checks of the given fields of a scheme and of the settings beside them; what else is there is let pass. */
export function compileFieldChecks(scheme: Scheme, fields: readonly CredentialField[], settings: readonly CredentialField[]): Check {
  const checks = [
    ...fields.map((field) => compileCheck(field, fieldRule(scheme, field.name), mayBeEmpty(scheme, field))),
    ...settings.map((field) => compileCheck(field, () => null, false)),
  ]
  return (credentials) => checks.flatMap((check) => check(credentials))
}

function compileCheck(field: CredentialField, rule: (value: string) => string | null, empty: boolean): Check {
  const pattern = field.pattern === undefined ? undefined : new RegExp(field.pattern, 'u')
  function problemOf(value: unknown): string | null {
    if (value === undefined) return field.required ? 'is missing' : null
    if (typeof value !== 'string') return 'must be text'
    if (value === '') return empty ? null : 'must not be empty'
    if (hasControls(field.kind === 'lines' ? value.replace(/[\t\r\n]/g, '') : value)) {
      return 'must not hold line breaks or other control characters'
    }
    if (/\p{Surrogate}/u.test(value)) return 'is not well-formed text'
    if (pattern && !pattern.test(value)) return `must match ${pattern.source}`
    return rule(value) ?? kindProblem(value, field.kind)
  }
  return (credentials) => {
    const problem = problemOf(own(credentials as Record<string, unknown>, field.name))
    return problem === null ? [] : [`${field.name}: ${problem}`]
  }
}

/** A user name without a password is a known form of basic authentication. */
function mayBeEmpty(scheme: Scheme, { name }: CredentialField): boolean {
  return scheme.type === 'basic' && scheme.fields === undefined && name === 'password'
}

function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
  return /[\u0000-\u001f\u007f]/.test(text)
}

import { secretFields } from './auth.ts'
import { isHeaderText } from './request/header-templates.ts'
import { own } from './request/template.ts'
import type { App, Auth, CredentialField } from './types.ts'

/** The fields that connecting an account of the app takes: its secrets first, then its settings. */
export function credentialFields(app: Pick<App, 'auth' | 'accountSettings'>): readonly CredentialField[] {
  return [...secretFields(app.auth), ...app.accountSettings]
}

/** Problems with what a user gave to connect an account, `"<field>: <what is wrong>"`; [] when it can be stored. */
export function checkCredentials(app: App, credentials: unknown): string[] {
  if (typeof credentials !== 'object' || credentials === null || Array.isArray(credentials)) return ['credentials: must be an object']
  const fields = credentialFields(app)
  const known = new Set(fields.map((field) => field.name))
  const unknown = Object.keys(credentials).filter((name) => !known.has(name))
  return [...compileFieldChecks(app.auth, fields)(credentials), ...unknown.map((name) => `${name}: is not a field of ${app.name} accounts`)]
}

/** Compiles the check of each field; fields that are not asked for are let pass. */
export function compileFieldChecks(auth: Auth, fields: readonly CredentialField[]): (credentials: object) => string[] {
  const checks = fields.map((field) => {
    const pattern = field.pattern === undefined ? undefined : new RegExp(field.pattern, 'u')
    return (credentials: Record<string, unknown>) => {
      const problem = problemOf(own(credentials, field.name), field, auth, pattern)
      return problem === null ? [] : [`${field.name}: ${problem}`]
    }
  })
  return (credentials) => checks.flatMap((check) => check(credentials as Record<string, unknown>))
}

function problemOf(value: unknown, field: CredentialField, auth: Auth, pattern: RegExp | undefined): string | null {
  if (value === undefined) return 'is missing'
  if (typeof value !== 'string') return 'must be text'
  // A user name without a password is a known form of basic authentication.
  if (value === '') return auth.type === 'basic' && field.name === 'password' ? null : 'must not be empty'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'must not hold line breaks or other control characters'
  if (/\p{Surrogate}/u.test(value)) return 'is not well-formed text'
  if (field.secret && auth.type !== 'basic' && !isHeaderText(value)) return "has characters that a header can't carry"
  if (field.secret && field.name === 'username' && value.includes(':')) return 'must not hold a colon'
  if (pattern && !pattern.test(value)) return `must match ${pattern.source}`
  return kindProblem(value, field.kind)
}

function kindProblem(value: string, kind: CredentialField['kind']): string | null {
  switch (kind) {
    case 'text':
      return null
    case 'host_part':
      return isHostPart(value) ? null : 'must be one part of a host name: letters, digits, hyphens'
    case 'url':
      return isServerUrl(value) ? null : 'must be an http or https URL without user name, query or fragment'
  }
}

/** The parser knows which names that begin with xn-- are none. */
function isHostPart(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(text) && URL.canParse(`https://${text}.example`)
}

function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#\s\\]/.test(text)
}

import { type App, type CredentialField, type Credentials, checkCredentials, type Scheme } from '@onward/catalog'
import { type Reach, urlProblem } from '@onward/runtime'

/** What the user entered, by the name of the field. */
type Entered = {
  readonly values: Record<string, string>
  /** The problem of each field, as a sentence. */
  readonly problems: Map<string, string>
}

/** Reads and checks the fields of a form. Empty optional fields are omitted. */
export function readFields(
  app: App,
  scheme: Scheme,
  fields: readonly CredentialField[],
  body: Readonly<Record<string, unknown>>,
  reach: Reach,
): Entered {
  const values: Record<string, string> = {}
  const problems = new Map<string, string>()
  for (const field of fields) {
    const value = cleanValue(field, body[field.name]) || (field.default ?? '')
    if (value !== '' || field.required) values[field.name] = value
  }
  const titles = new Map(fields.map(({ name, title }) => [name, title]))
  for (const problem of checkCredentials(app, withTokens(scheme, values))) {
    const [, name = '', what = ''] = /^([^:]*): (.*)$/s.exec(problem) ?? []
    // Ignore problems of other fields, because their values arrive later with the tokens.
    if (titles.has(name) && !problems.has(name)) problems.set(name, `${titles.get(name)} ${what}.`)
  }
  for (const { name, kind, title } of fields) {
    const problem = kind === 'url' && !problems.has(name) ? urlProblem(values[name] ?? '', reach) : undefined
    if (problem !== undefined) problems.set(name, `${title} ${problem}.`)
  }
  return { values, problems }
}

/** Trims a value, because pasted keys often have spaces around them. A password is not trimmed: it may begin or end with a space. */
function cleanValue({ name }: CredentialField, entered: unknown): string {
  if (typeof entered !== 'string') return ''
  return name === 'password' ? entered : entered.trim()
}

/** Adds a placeholder for the access token of oauth2, because the check recognizes the scheme by the token. */
function withTokens(scheme: Scheme, values: Credentials): Credentials {
  return scheme.type === 'oauth2' ? { ...values, access_token: 'not-there-yet' } : values
}

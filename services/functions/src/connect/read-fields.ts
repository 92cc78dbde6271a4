import { type App, type CredentialField, type Credentials, checkCredentials, type Scheme } from '@onward/catalog'
import { type Reach, urlProblem } from '@onward/runtime'

export type Typed = {
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
): Typed {
  const values: Record<string, string> = {}
  const problems = new Map<string, string>()
  for (const field of fields) {
    const value = tidy(field, body[field.name])
    if (value !== '' || field.required) values[field.name] = value
  }
  const titles = new Map(fields.map(({ name, title }) => [name, title]))
  for (const problem of checkCredentials(app, withTokens(scheme, values))) {
    const [, name = '', what = ''] = /^([^:]*): (.*)$/s.exec(problem) ?? []
    // Problems of other fields are ignored: their values arrive later, with the tokens.
    if (titles.has(name) && !problems.has(name)) problems.set(name, `${titles.get(name)} ${what}.`)
  }
  for (const { name, kind, title } of fields) {
    const problem = kind === 'url' && !problems.has(name) ? urlProblem(values[name] ?? '', reach) : undefined
    if (problem !== undefined) problems.set(name, `${title} ${problem}.`)
  }
  return { values, problems }
}

/** Trims pasted keys. A password is not trimmed, because it may begin or end with a space. */
function tidy({ name, kind }: CredentialField, given: unknown): string {
  if (typeof given !== 'string') return ''
  const value = kind === 'lines' ? given.replaceAll('\r\n', '\n') : given
  return name === 'password' ? value : value.trim()
}

/** Adds an access token for oauth2: the check recognizes the scheme by it. */
function withTokens(scheme: Scheme, values: Credentials): Credentials {
  return scheme.type === 'oauth2' ? { ...values, access_token: 'not-there-yet' } : values
}

import { type App, type CredentialField, type Credentials, checkCredentials, type Scheme } from '@onward/catalog'
import { type Reach, type Sealer, urlProblem } from '@onward/runtime'
import type { Audited } from './audit.ts'
import { finish } from './finish.ts'
import { findIcon } from './icon.ts'
import { testCredentials } from './identify.ts'
import { openLoginLink } from './login-link.ts'
import { formOf } from './open-connect.ts'
import { connectPage, formTargets } from './pages/connect-page.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import type { ConnectParts } from './parts.ts'
import { startProvider } from './provider.ts'
import { findOpenSession } from './session.ts'
import { cancelUrl, findTarget, offeredSchemes } from './target.ts'

/** What the user entered, by the name of the field. */
type Entered = {
  readonly values: Record<string, string>
  /** The problem of each field, as a sentence. */
  readonly problems: Map<string, string>
}

type Submission = Audited & {
  readonly token: string
  readonly publicUrl: string
  readonly browser: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Processes the form: redirects the user to the provider, or tests the entered credentials and stores the account. Returns the form again if
 * there are problems.
 */
export async function submitConnect(parts: ConnectParts, { token, publicUrl, browser, body, ...audited }: Submission): Promise<Reply> {
  const session = await findOpenSession(parts.db, { token: body._session }, browser)
  const link = openLoginLink(parts.sealer, token)
  if (link?.appKey !== session.appKey || link.userId !== session.userId || link.app !== session.app) {
    throw new PageProblem(403, 'This page does not belong to this link', START_AGAIN)
  }
  const target = await findTarget(parts.db, parts.catalog.current.functions, session)
  const { app, application } = target
  const scheme = (await offeredSchemes(parts.db, session.appKey, app)).find(({ type }) => type === session.scheme)
  if (scheme === undefined) throw new PageProblem(409, `${app.title} cannot be connected in this way`, START_AGAIN)

  const form = formOf(app, scheme, await findIcon(parts.config.appFolders, app.name))
  const filled = withKeptSecrets(parts.sealer, session.id, body)
  const { values, problems } = readFields(app, scheme, form.fields, filled, parts.config.outgoingReach)
  const action = `${publicUrl}/connect/${token}`
  const formAgain = (status: number, shownProblems: ReadonlyMap<string, string>) => {
    const withoutProblem = form.fields.filter(({ name }) => !shownProblems.has(name))
    return connectPage({
      ...form,
      status,
      problems: shownProblems,
      entered: values,
      kept: sealSecrets(parts.sealer, session.id, withoutProblem, values),
      application: application.name,
      userId: target.userId,
      sessionToken: String(body._session),
      action,
      cancel: cancelUrl(target, session.redirectUri, action),
      formTargets: formTargets(scheme, parts.config.outgoingReach),
    })
  }
  if (problems.size > 0) return formAgain(400, problems)
  if (scheme.type === 'oauth2') return await startProvider(parts, target, session, scheme, values, publicUrl)
  const tested = await testCredentials(parts, session, app, scheme, values)
  if (tested.kind !== 'known') return formAgain(tested.kind === 'refused' ? 400 : 502, new Map([['', tested.problem]]))
  return await finish(parts, audited, target, session, tested.credentials, tested)
}

/**
 * Returns the secrets that a user entered in a form with an error, sealed for its hidden field `_kept`. So the user need not enter them
 * again, and the page does not show them. They can be opened only in the same session, which ends after 15 minutes.
 */
function sealSecrets(
  sealer: Sealer,
  sessionId: string,
  fields: readonly CredentialField[],
  values: Readonly<Record<string, string>>,
): { readonly names: ReadonlySet<string>; readonly sealed: string } {
  const secrets = fields.filter(({ name, secret }) => secret && values[name]).map(({ name }) => [name, values[name]] as const)
  const sealed = sealer.seal(JSON.stringify(Object.fromEntries(secrets)), rowOf(sessionId)).toString('base64url')
  return { names: new Set(secrets.map(([name]) => name)), sealed }
}

/** Returns the body of a form with the kept secrets in its empty fields. */
function withKeptSecrets(sealer: Sealer, sessionId: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof body._kept !== 'string' || body._kept === '') return body
  const entered = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
  return { ...openSecrets(sealer, sessionId, body._kept), ...entered }
}

function openSecrets(sealer: Sealer, sessionId: string, kept: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(sealer.open(Buffer.from(kept, 'base64url'), rowOf(sessionId)))
  } catch {
    return {}
  }
}

/** The sealer binds the secrets to the session as it binds the secrets of rows. */
function rowOf(sessionId: string): string {
  return `connect_session/${sessionId}/kept`
}

/** Reads and checks the fields of a form. Empty optional fields are omitted. */
function readFields(
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

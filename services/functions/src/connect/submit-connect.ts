import { type App, type Credentials, checkCredentials, type Scheme } from '@onward/catalog'
import { openText, type Reach, type Sealer, sealText, urlProblem } from '@onward/runtime'
import { fill, type Say } from '@onward/texts'
import { finish } from './finish.ts'
import { testCredentials } from './identify.ts'
import { openLoginLink } from './login-link.ts'
import { formOf } from './open-connect.ts'
import { type ConnectForm, connectPage, type ShownField } from './pages/connect-page.ts'
import { inLook, type Reply } from './pages/page.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import type { ConnectParts } from './parts.ts'
import { cannotThisWay, startProvider } from './provider.ts'
import { findOpenSession } from './session.ts'
import { findOffer, findTarget } from './target.ts'
import type { PageVisit } from './visit.ts'

/** What the user entered, by the name of the field. */
type Entered = {
  readonly values: Record<string, string>
  /** The problem of each field, as a sentence. */
  readonly problems: Map<string, Say>
}

/**
 * Processes the form: redirects the user to the provider, or tests the entered credentials and stores the account. Returns the form again if
 * there are problems.
 */
export async function submitConnect(parts: ConnectParts, visit: PageVisit, body: Readonly<Record<string, unknown>>): Promise<Reply> {
  const { token, publicUrl, browser } = visit
  const session = await findOpenSession(parts.db, { token: body._session }, browser)
  const link = openLoginLink(parts.sealer, token)
  if (link?.appKey !== session.appKey || link.userId !== session.userId || link.app !== session.app) {
    throw new PageProblem(403, (t) => t.problems.otherLink, START_AGAIN)
  }
  const target = await findTarget(parts.db, parts.catalog.current.functions, link)
  const { app } = target
  const offer = await findOffer(parts.db, target)
  const scheme = offer.schemes.find(({ type }) => type === session.scheme)
  if (scheme === undefined) throw cannotThisWay(app, START_AGAIN)

  const { redirectUri, language } = session
  const form = await formOf(parts, visit, { target, offer, scheme, redirectUri, language })
  const filled = withKeptSecrets(parts.sealer, session.id, body)
  const { values, problems } = readFields(app, scheme, form.fields, filled, parts.config.outgoingReach)
  const formAgain = (status: number, shown: ReadonlyMap<string, Say>, secrets: readonly ShownField[]) => {
    const kept = sealSecrets(parts.sealer, session.id, secrets, values)
    const page = connectPage({ ...form, status, problems: shown, entered: values, kept, sessionToken: String(body._session) })
    return inLook(page, target.application, language)
  }
  const withoutProblem = form.fields.filter(({ name }) => !problems.has(name))
  if (problems.size > 0) return formAgain(400, problems, withoutProblem)
  if (scheme.type === 'oauth2') return await startProvider(parts, target, session, scheme, values, publicUrl)
  const tested = await testCredentials(parts, session, app, scheme, values)
  if (tested.kind === 'known') return await finish(parts, visit, target, session, tested.credentials, tested)
  const failed = new Map([['', tested.problem]])
  // A secret that the app refused is of no more use.
  return tested.kind === 'refused' ? formAgain(400, failed, []) : formAgain(502, failed, form.fields)
}

/**
 * Returns the secrets that a user entered in a form with an error, sealed for its hidden field `_kept`; undefined if there are none. So the
 * user need not enter them again, and the page does not show them. They can be opened only in the same session, which ends after 15 minutes.
 */
function sealSecrets(
  sealer: Sealer,
  sessionId: string,
  fields: readonly ShownField[],
  values: Readonly<Record<string, string>>,
): ConnectForm['kept'] {
  const secrets = fields.filter(({ name, secret }) => secret && values[name]).map(({ name }) => [name, values[name]] as const)
  if (secrets.length === 0) return undefined
  const sealed = sealText(sealer, JSON.stringify(Object.fromEntries(secrets)), purposeOf(sessionId))
  return { names: new Set(secrets.map(([name]) => name)), sealed }
}

/** Returns the body of a form with the kept secrets in its empty fields. */
function withKeptSecrets(sealer: Sealer, sessionId: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (typeof body._kept !== 'string' || body._kept === '') return body
  const entered = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
  return { ...JSON.parse(openText(sealer, body._kept, purposeOf(sessionId)) ?? '{}'), ...entered }
}

/** Secrets that are kept open only in their session. */
function purposeOf(sessionId: string): string {
  return `connect_session/${sessionId}/kept`
}

/** Reads and checks the fields of a form. Empty optional fields are omitted. */
function readFields(
  app: App,
  scheme: Scheme,
  fields: readonly ShownField[],
  body: Readonly<Record<string, unknown>>,
  reach: Reach,
): Entered {
  const values: Record<string, string> = {}
  const problems = new Map<string, Say>()
  for (const field of fields) {
    const value = cleanValue(field, body[field.name]) || (field.default ?? '')
    if (value !== '' || field.required) values[field.name] = value
  }
  const named = new Map(fields.map((field) => [field.name, field]))
  for (const problem of checkCredentials(app, withTokens(scheme, values))) {
    const [, name = '', what = ''] = /^([^:]*): (.*)$/s.exec(problem) ?? []
    const field = named.get(name)
    // Ignore problems of other fields, because their values arrive later with the tokens.
    if (field !== undefined && !problems.has(name)) problems.set(name, sayProblem(field, what))
  }
  for (const field of fields) {
    const problem = field.kind === 'url' && !problems.has(field.name) ? urlProblem(values[field.name] ?? '', reach) : undefined
    if (problem !== undefined) problems.set(field.name, sayProblem(field, problem))
  }
  return { values, problems }
}

/** Returns a problem of a field, in the language of the page if it is a common one. */
function sayProblem({ title }: ShownField, problem: string): Say {
  return (t) => {
    const names = { field: title.text, problem: `${problem}.` }
    if (problem === 'is missing' || problem === 'must not be empty') return fill(t.checks.empty, names)
    if (problem === 'must be a URL' || problem === 'must be an https URL') return fill(t.checks.url, names)
    if (problem.startsWith('must not contain line breaks')) return fill(t.checks.characters, names)
    return fill(t.checks.other, names)
  }
}

/** Trims a value, because pasted keys often have spaces around them. A password is not trimmed: it may begin or end with a space. */
function cleanValue({ name }: ShownField, entered: unknown): string {
  if (typeof entered !== 'string') return ''
  return name === 'password' ? entered : entered.trim()
}

/** Adds a placeholder for the access token of oauth2, because the check recognizes the scheme by the token. */
function withTokens(scheme: Scheme, values: Credentials): Credentials {
  return scheme.type === 'oauth2' ? { ...values, access_token: 'not-there-yet' } : values
}

import { plainActor } from '@onward/access'
import type { App } from '@onward/catalog'
import type { PolicyRule } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import type { Say } from '@onward/texts'
import { recordUserChange } from '../connect/audit.ts'
import { inLook, type Reply } from '../connect/pages/page.ts'
import { cannotContinue } from '../connect/pages/problem.ts'
import { hashToken, isToken, newToken } from '../connect/session.ts'
import type { PageVisit } from '../connect/visit.ts'
import type { Application } from '../db/applications.ts'
import { selectConnectedApps } from '../db/connected-accounts.ts'
import { type Authorization, deleteUndecided, setUser, storeDecision, takeUserOfBrowser } from '../db/mcp-authorizations.ts'
import { findSignInSettings } from '../db/mcp-sign-in-settings.ts'
import { takeSignIn } from '../db/mcp-sign-ins.ts'
import { approvalReply } from './approve.ts'
import { handOff, openRequest } from './hand-off.ts'
import { decidedBefore, type FormFields, findOpen, formTo } from './open-authorization.ts'
import { beginOpenId, finishOpenId, openState } from './openid.ts'
import { type Chosen, type ConsentForm, consentPage, GRANT_DAYS, type OfferedApp } from './pages/consent-page.ts'
import { signInPage } from './pages/sign-in-pages.ts'
import type { SignInParts } from './parts.ts'
import { hostOfRedirect, redirectTo } from './redirects.ts'
import { linkEnded, tokenOfLink } from './sign-in-link.ts'

/**
 * Returns the next page of a sign-in. If the user is known, it asks for consent, or for the decision on an approval. Otherwise it is the
 * application's page, its OpenID provider, or the page that asks for a link. `problem` says why that page asks for the link again.
 */
export async function continueSignIn(parts: SignInParts, visit: PageVisit, token: unknown, problem?: Say): Promise<Reply> {
  const { authorization, application } = await findOpen(parts, visit, token)
  const userId = authorization.userId ?? (await takeUserOfBrowser(parts.db, authorization))
  if (userId !== undefined && authorization.approvalId !== null) {
    return await approvalReply(parts, visit, token, { ...authorization, userId }, application)
  }
  if (userId !== undefined)
    return inLook(consentPage(await formOf(parts, visit, token, { ...authorization, userId }, application)), application)
  const { handOffUrl, openid } = await findSignInSettings(parts.db, application.appKey)
  if (handOffUrl !== null && problem === undefined) return handOff(parts.sealer, handOffUrl, String(token))
  if (openid !== null && problem === undefined) return await beginOpenId(parts, visit.publicUrl, openid, String(token))
  const { clientName: client, approvalId } = authorization
  const console = `${visit.publicUrl}/console/w/${application.workspaceId}/approvals?${new URLSearchParams({ approval: approvalId ?? '' })}`
  const asks = approvalId === null ? { access: client } : { approval: { console } }
  const form = { ...formTo(visit, 'authorize', token), asks, application: application.name, home: homeOf(application), problem }
  return inLook(signInPage(form), application)
}

/** Returns a site of the application, as far as one is known. */
function homeOf({ allowedOrigins, allowedRedirects }: Application): string | undefined {
  const urls = [...allowedOrigins, ...allowedRedirects].filter((url) => /^https?:/.test(url) && URL.canParse(url))
  return urls[0] && new URL(urls[0]).origin
}

/** Signs the browser in with the link that the user entered, if any, and returns the next page. */
export async function submitSignIn(parts: SignInParts, visit: PageVisit, body: FormFields): Promise<Reply> {
  const { authorization } = await findOpen(parts, visit, body._session)
  const link = typeof body.link === 'string' ? body.link.trim() : ''
  const token = tokenOfLink(link)
  const taken = token === undefined ? undefined : await takeSignIn(parts.db, hashToken(token), authorization.browserHash)
  const isWrong = link !== '' && taken?.appKey !== authorization.appKey
  const problem: Say = (t) => (isWrong ? t.signIn.wrongLink : t.signIn.notYet)
  return await continueSignIn(parts, visit, body._session, problem)
}

/** Signs the browser in as the user for whom the application approved the request, and returns the next page. */
export async function continueHandOff(parts: SignInParts, visit: PageVisit, link: string, request: unknown): Promise<Reply> {
  const token = openRequest(parts.sealer, request)
  const { authorization } = await findOpen(parts, visit, token)
  const taken = isToken(link) ? await takeSignIn(parts.db, hashToken(link), authorization.browserHash) : undefined
  if (taken?.appKey !== authorization.appKey) throw linkEnded()
  return await continueSignIn(parts, visit, token)
}

/** Signs the browser in as the user whom the OpenID provider names, and returns the next page. */
export async function continueOpenId(parts: SignInParts, visit: PageVisit, callback: URLSearchParams): Promise<Reply> {
  const state = openState(parts, callback.get('state'))
  const { authorization } = await findOpen(parts, visit, state?.pageToken)
  const { appKey } = authorization
  const { openid } = await findSignInSettings(parts.db, appKey)
  if (state === undefined || openid === null) throw cannotContinue()
  const userId = await finishOpenId(parts, visit.publicUrl, appKey, openid, callback, state)
  await setUser(parts.db, authorization.id, userId)
  return await continueSignIn(parts, visit, state.pageToken)
}

/** Stores what the user decided, and redirects to the client with a code or an error. */
export async function submitConsent(parts: SignInParts, visit: PageVisit, body: FormFields): Promise<Reply> {
  const { authorization, application } = await findOpen(parts, visit, body._session)
  const { id, appKey, userId, redirectUri, state, clientId, clientName, maker, approvalId } = authorization
  if (userId === null || approvalId !== null) throw cannotContinue()
  const iss = visit.publicUrl
  if (body.decision !== 'allow') {
    if (!(await deleteUndecided(parts.db, id))) throw decidedBefore()
    return redirectTo(redirectUri, { error: 'access_denied', state, iss })
  }
  const form = await formOf(parts, visit, body._session, { ...authorization, userId }, application)
  const chosen = readForm(body)
  const choice = allowedBy(form, chosen)
  if (typeof choice === 'function') {
    return inLook(consentPage({ ...form, chosen: { ...chosen, which: 'some' }, problem: choice }), application)
  }

  const code = newToken()
  const actor = maker.personId === null ? undefined : plainActor('person', maker.personId, maker.personId)
  const target = { client_id: clientId, client_name: clientName, redirect_host: hostOfRedirect(redirectUri) }
  const { apps, functions, readOnly, rules, grantDays } = choice
  const after = { apps, functions, read_only: readOnly, rules, expires_in_days: grantDays }
  const stored = await recordUserChange(parts, visit, { appKey, userId }, { action: 'mcp-grant.create', target, after, actor }, () =>
    storeDecision(parts.db, id, choice, hashToken(code)),
  )
  if (!stored) throw decidedBefore()
  return redirectTo(redirectUri, { code, state, iss })
}

async function formOf(
  parts: SignInParts,
  visit: PageVisit,
  token: unknown,
  { userId, appKey, clientId, clientName, redirectUri, readOnly }: Authorization & { readonly userId: string },
  application: Application,
): Promise<ConsentForm> {
  const apps = await usableApps(parts, { appKey, userId })
  const canChoose = apps.reduce((sum, { functions }) => sum + functions.length, 0) <= MAX_FUNCTIONS
  return {
    ...formTo(visit, 'consent', token),
    client: { id: clientId, name: clientName },
    redirectUri,
    application: application.name,
    userId,
    apps: apps.map((app) => offered(app, canChoose)),
    hasConnected: apps.some(({ needsAccount }) => needsAccount),
    onlyReads: readOnly,
  }
}

/** Returns the apps that a user can use now: those that the user has connected, and those that need no account. */
export async function usableApps({ db, catalog }: Pick<SignInParts, 'db' | 'catalog'>, user: UserKey): Promise<App[]> {
  const connected = await selectConnectedApps(db, user)
  return catalog.current.functions.apps.filter(({ name, needsAccount }) => !needsAccount || connected.has(name))
}

/** Maximum number of functions on a page. A form can have 1,000 fields. */
const MAX_FUNCTIONS = 800

function offered({ name, title, functions }: App, canChoose: boolean): OfferedApp {
  return { name, title, functions: canChoose ? functions.map((fn) => ({ name: fn.name, title: fn.title })) : [] }
}

function readForm({ which, app, function: fn, read_only: readOnly, asks, days }: FormFields): Chosen {
  return {
    which: which === 'some' ? 'some' : 'all',
    apps: textsOf(app),
    functions: textsOf(fn),
    readOnly: readOnly === 'true',
    asks: asks === 'true',
    days: Number(days),
  }
}

/** A field that is sent several times is an array, or an object if it is sent often. */
function textsOf(field: unknown): ReadonlySet<unknown> {
  return new Set(typeof field === 'object' && field !== null ? Object.values(field) : [field])
}

/** The rule of a user who wants to be asked before changes. */
export const ASK_BEFORE_CHANGES: readonly PolicyRule[] = [{ types: ['ACTION', 'PASSTHROUGH'], result: 'ask' }]

/** Returns what the user allowed: all apps, or some with all or some of their functions. Returns a problem if the form is contradictory. */
function allowedBy({ apps, onlyReads }: ConsentForm, chosen: Chosen): Parameters<typeof storeDecision>[2] | Say {
  const grantDays = GRANT_DAYS.find((days) => days === chosen.days)
  if (grantDays === undefined) return (t) => t.consent.chooseDays
  const common = { readOnly: onlyReads || chosen.readOnly, rules: chosen.asks ? ASK_BEFORE_CHANGES : [], grantDays }
  const wanted = apps
    .filter(({ name }) => chosen.apps.has(name))
    .map(({ name, functions }) => ({ name, functions, allowed: functions.filter((fn) => chosen.functions.has(fn.name)) }))
    .filter(({ functions, allowed }) => functions.length === 0 || allowed.length > 0)
  const whole = wanted.every(({ functions, allowed }) => allowed.length === functions.length)
  if (chosen.which === 'all') {
    // A browser that cannot hide the list lets a user untick an app here.
    if (!whole || wanted.length < apps.length) return (t) => t.consent.unticked
    return { ...common, apps: null, functions: null }
  }
  if (wanted.length === 0) return (t) => t.consent.chooseApp
  const names = wanted.flatMap(({ allowed }) => allowed.map(({ name }) => name))
  return { ...common, apps: wanted.map(({ name }) => name), functions: whole ? null : names }
}

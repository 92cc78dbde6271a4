import { type App, requestedScopes, type Scheme } from '@onward/catalog'
import type { Language } from '@onward/texts'
import type { Functions } from '../catalog/functions.ts'
import { type Application, findApplication } from '../db/applications.ts'
import type { ConnectSession } from '../db/connect-sessions.ts'
import type { AccountsOfApp } from '../db/connected-accounts.ts'
import { findOAuthClient } from '../db/oauth-clients.ts'
import { readSuspensions } from '../db/suspensions.ts'
import type { Db } from '../db/tables.ts'
import { strictestOf } from '../policy/suspensions.ts'
import { CONNECT_LINK_PATH } from './connect-link.ts'
import { forUsers } from './pages/page.ts'
import type { ShownUser } from './pages/parts.ts'
import { PageProblem } from './pages/problem.ts'
import { isToken } from './session.ts'

/** The user who connects an account, the user's application, and the app of the account. */
export type Target = { readonly app: App; readonly application: Application } & ShownUser

export async function findTarget(db: Db, functions: Functions, link: AccountsOfApp & ShownUser): Promise<Target> {
  const application = await findApplication(db, link.appKey)
  const app = functions.app(link.app)
  if (application === undefined || app === undefined || !app.needsAccount) {
    throw new PageProblem(
      404,
      (t) => t.problems.nothingToConnect,
      (t) => t.problems.goneAdvice,
    )
  }
  if (strictestOf(await readSuspensions(db, application.workspaceId, link.appKey), link.userId) !== undefined) {
    throw new PageProblem(
      403,
      (t) => t.problems.suspended,
      (t) => t.problems.suspendedAdvice,
    )
  }
  return { app, application: forUsers(application), userId: link.userId, userName: link.userName }
}

/** The schemes with which a user can connect, the first one first, and the scopes for which the app asks a user who signs in. */
export type Offer = { readonly schemes: readonly Scheme[]; readonly scopes: readonly string[] }

/**
 * Returns how a user can connect. Sign-in comes first; it requires an OAuth client of the application. Then the other schemes are offered only
 * if the application allows them. Only operators have a service account, so it is never offered. Client credentials are offered if they are
 * the only scheme: then users have their own.
 */
export async function findOffer(db: Db, { app, application }: Target): Promise<Offer> {
  const signIn = app.schemes.find(({ type }) => type === 'oauth2')
  const client = signIn && (await findOAuthClient(db, application.appKey, app.name))
  const others = enteredSchemes(app)
  if (signIn?.type !== 'oauth2' || client === undefined) return { schemes: others, scopes: [] }
  const schemes = application.connectPages.tokens === true ? [signIn, ...others] : [signIn]
  return { schemes, scopes: requestedScopes(signIn, client.scopes ?? undefined) }
}

/** Returns the schemes whose credentials a user enters. */
export function enteredSchemes({ schemes }: App): readonly Scheme[] {
  return schemes.filter(({ type }) => {
    if (type === 'oauth2' || type === 'oauth2_jwt_bearer') return false
    return type !== 'oauth2_client_credentials' || schemes.length === 1
  })
}

/** Returns where the link "Cancel" leads: to the application, or to a page that informs the window that opened this one. */
export function cancelUrl(target: Target, redirectUri: string | null, action: string, language: Language | null): string {
  return (
    returnTo(target, { redirectUri }, { error: 'access_denied' })?.location ??
    `${action}/cancel${language === null ? '' : `?locale=${language}`}`
  )
}

/**
 * Returns the redirect to the application with the result in its query, or to our page of accounts; undefined when none was requested or it
 * is no longer allowed.
 */
export function returnTo(
  { app, application }: Pick<Target, 'app' | 'application'>,
  { redirectUri }: Pick<ConnectSession, 'redirectUri'>,
  result: Readonly<Record<string, string>>,
): { location: string } | undefined {
  if (redirectUri !== null && isOwnPage(redirectUri)) return { location: ownReturn(redirectUri, app.name, result) }
  if (redirectUri === null || !application.allowedRedirects.includes(redirectUri)) return undefined
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value)
  return { location: url.href }
}

/**
 * Returns where the application can confirm an account if the link does not lead back to it: the first of its allowed redirects. Returns
 * undefined if the link does lead back to the application, or if it allows no redirect.
 */
export function confirmingUrl(
  target: Target,
  { redirectUri }: Pick<ConnectSession, 'redirectUri'>,
  result: Readonly<Record<string, string>>,
): string | undefined {
  const { allowedRedirects } = target.application
  if (redirectUri !== null && allowedRedirects.includes(redirectUri)) return undefined
  return returnTo(target, { redirectUri: allowedRedirects[0] ?? null }, result)?.location
}

/** The end of the path of the page on which a user chooses an app. */
export const APPS_PATH = '/apps'

/** Where a user goes from one of our own pages: with an account to the page of accounts, otherwise back. */
function ownReturn(page: string, app: string, result: Readonly<Record<string, string>>): string {
  const accounts = accountsOf(page)
  if ('error' in result) return `${page}?event=cancelled`
  return 'confirmation' in result ? accounts : `${accounts}?event=connected&app=${encodeURIComponent(app)}`
}

function accountsOf(page: string): string {
  return page.endsWith(APPS_PATH) ? page.slice(0, -APPS_PATH.length) : page
}

/** Returns whether a redirect URI is the path of our page of accounts or of apps, from which a user connects an account. */
export function isOwnPage(redirectUri: string): boolean {
  return redirectUri.startsWith(`${CONNECT_LINK_PATH}/`) && isToken(accountsOf(redirectUri).slice(CONNECT_LINK_PATH.length + 1))
}

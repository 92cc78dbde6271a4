import { type App, connectFields, type Scheme } from '@onward/catalog'
import { insertSession } from '../db/connect-sessions.ts'
import { findIcon } from './icon.ts'
import { openLoginLink } from './login-link.ts'
import { choicePage } from './pages/choice-page.ts'
import { connectPage, formTargets } from './pages/connect-page.ts'
import type { Page } from './pages/page.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import { cancelledPage } from './pages/result-pages.ts'
import type { ConnectParts } from './parts.ts'
import { hashToken, isToken, newToken } from './session.ts'
import { cancelUrl, findTarget, isOwnPage, offeredSchemes } from './target.ts'

type Visit = {
  readonly token: string
  /** Our address for browsers. */
  readonly publicUrl: string
  /** The browser's cookie, if it has one. */
  readonly browser: string | undefined
  readonly scheme: unknown
  readonly redirectUri: unknown
}

/** Returns the page of a login link, and the cookie that binds the new session to this browser. */
export async function openConnect(parts: ConnectParts, visit: Visit): Promise<{ page: Page; browser?: string }> {
  const link = openLoginLink(parts.sealer, visit.token)
  if (link === undefined) throw new PageProblem(404, 'This link is not complete', 'Open the complete link again from where you found it.')
  if (link.expiresAt <= new Date()) throw new PageProblem(410, 'This link has expired', START_AGAIN)
  const target = await findTarget(parts.db, parts.catalog.current.functions, link)
  const { app, application, userId } = target
  const redirectUri = readRedirect(visit.redirectUri, application.allowedRedirects)
  const schemes = await offeredSchemes(parts.db, link.appKey, app)
  if (schemes.length === 0) throw new PageProblem(409, `${app.title} cannot be connected yet`, setUpAdvice(app, application.name))
  const scheme = schemes.length === 1 ? schemes[0] : schemes.find(({ type }) => type === visit.scheme)
  const action = `${visit.publicUrl}/connect/${visit.token}`
  const icon = await findIcon(parts.config.appFolders, app.name)
  const shared = { application: application.name, userId, cancel: cancelUrl(target, redirectUri, action) }
  if (scheme === undefined) {
    return { page: choicePage({ app, icon, schemes, ...shared, hrefOf: ({ type }) => choiceUrl(action, type, redirectUri) }) }
  }

  const browser = isToken(visit.browser) ? visit.browser : newToken()
  const sessionToken = newToken()
  const hashes = { tokenHash: hashToken(sessionToken), browserHash: hashToken(browser) }
  await insertSession(parts.db, { ...link, ...hashes, scheme: scheme.type, linkExpiresAt: link.expiresAt, redirectUri })
  return {
    page: connectPage({
      ...formOf(app, scheme, icon),
      ...shared,
      action,
      sessionToken,
      formTargets: formTargets(scheme, parts.config.outgoingReach),
    }),
    browser,
  }
}

/** Returns the app, and what the form of a scheme asks for. */
export function formOf(app: App, scheme: Scheme, icon: string | undefined) {
  const { title, description, help_url } = app
  return { app: { title, description, help_url, icon }, fields: connectFields(app, scheme), atProvider: scheme.type === 'oauth2' }
}

/** Returns the page after "Cancel". It needs no session, because it changes nothing. */
export async function cancelConnect(parts: ConnectParts, token: string): Promise<Page> {
  const link = openLoginLink(parts.sealer, token)
  if (link === undefined) throw new PageProblem(404, 'This link is not complete', START_AGAIN)
  const { app, application } = await findTarget(parts.db, parts.catalog.current.functions, link)
  return cancelledPage(app.title, application.allowedOrigins)
}

/** Returns what the operators of the application have to do before a user can connect the app. */
function setUpAdvice({ title, schemes }: App, application: string): string {
  return schemes.some(({ type }) => type === 'oauth2')
    ? `The operators of ${application} must first register its OAuth client for ${title} in Onward (onward oauth-client set). Please ask them.`
    : `Only the operators of ${application} can connect ${title}, with a service account (onward account connect). Please ask them.`
}

/** Returns the requested redirect URI. Only Onward's own page of accounts and the URIs listed by the application are safe. */
function readRedirect(given: unknown, allowed: readonly string[]): string | null {
  if (given === undefined) return null
  if (typeof given === 'string' && (allowed.includes(given) || isOwnPage(given))) return given
  const advice = 'The application does not allow this redirect_uri. Add the address to its allowed redirects first.'
  throw new PageProblem(400, 'This link redirects to an unknown address', advice)
}

function choiceUrl(action: string, scheme: string, redirectUri: string | null): string {
  return `${action}?${new URLSearchParams({ scheme, ...(redirectUri === null ? {} : { redirect_uri: redirectUri }) })}`
}

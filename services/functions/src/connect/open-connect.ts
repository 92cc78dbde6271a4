import { type App, connectFields, type Scheme } from '@onward/catalog'
import type { Context } from '../context.ts'
import { insertSession } from '../db/connect-sessions.ts'
import { openLoginLink } from './login-link.ts'
import { choicePage } from './pages/choice-page.ts'
import { connectPage, formTargets } from './pages/connect-page.ts'
import type { Page } from './pages/page.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import { hashToken, isToken, newToken } from './session.ts'
import { findTarget, offeredSchemes } from './target.ts'

export type Visit = {
  readonly token: string
  /** Our address for browsers. */
  readonly publicUrl: string
  /** The browser's cookie, if it has one. */
  readonly browser: string | undefined
  readonly scheme: unknown
  readonly redirectUri: unknown
}

/** Returns the page of a login link, and the cookie that binds the new session to this browser. */
export async function openConnect(ctx: Context, visit: Visit): Promise<{ page: Page; browser?: string }> {
  const link = openLoginLink(ctx.sealer, visit.token)
  if (link === undefined) throw new PageProblem(404, 'This link is not complete', 'Open the complete link again from where you found it.')
  if (link.expiresAt <= new Date()) throw new PageProblem(410, 'This link has expired', START_AGAIN)
  const target = await findTarget(ctx.db, ctx.catalog.current.functions, link)
  const { app, application } = target
  const redirectUri = readRedirect(visit.redirectUri, application.allowedRedirects)
  const schemes = await offeredSchemes(ctx.db, link.appKey, app)
  if (schemes.length === 0) {
    const advice = `${application.name} has not set it up. Please ask its operators.`
    throw new PageProblem(409, `${app.title} cannot be connected yet`, advice)
  }
  const scheme = schemes.length === 1 ? schemes[0] : schemes.find(({ type }) => type === visit.scheme)
  const action = `${visit.publicUrl}/connect/${visit.token}`
  const owner = { application: application.name, userId: link.userId }
  if (scheme === undefined) return { page: choicePage(app, owner, schemes, ({ type }) => choiceUrl(action, type, redirectUri)) }

  const browser = isToken(visit.browser) ? visit.browser : newToken()
  const session = newToken()
  const hashes = { tokenHash: hashToken(session), browserHash: hashToken(browser) }
  await insertSession(ctx.db, { ...link, ...hashes, scheme: scheme.type, linkExpiresAt: link.expiresAt, redirectUri })
  return {
    page: connectPage({
      ...formOf(app, scheme),
      ...owner,
      action,
      session,
      formTargets: formTargets(scheme, ctx.config.outgoingReach),
    }),
    browser,
  }
}

/** Returns what the form of a scheme asks for. */
export function formOf(app: App, scheme: Scheme) {
  return { app: app.title, fields: connectFields(app, scheme), atProvider: scheme.type === 'oauth2' }
}

/** Returns the requested redirect URI. Accepts only those that the application has listed: any other could belong to an attacker. */
function readRedirect(given: unknown, allowed: readonly string[]): string | null {
  if (given === undefined) return null
  if (typeof given === 'string' && allowed.includes(given)) return given
  const advice = 'The application does not allow this redirect_uri. Add the address to its allowed redirects first.'
  throw new PageProblem(400, 'This link redirects to an unknown address', advice)
}

function choiceUrl(action: string, scheme: string, redirectUri: string | null): string {
  return `${action}?${new URLSearchParams({ scheme, ...(redirectUri === null ? {} : { redirect_uri: redirectUri }) })}`
}

import { type App, connectFields, type Scheme } from '@onward/catalog'
import type { Context } from '../context.ts'
import { insertSession } from '../db/connect-sessions.ts'
import { findTarget } from './find-target.ts'
import { openLoginLink } from './login-link.ts'
import { offeredSchemes } from './offered-schemes.ts'
import { choicePage } from './pages/choice-page.ts'
import { connectPage } from './pages/connect-page.ts'
import { formTargets } from './pages/form-targets.ts'
import type { Page } from './pages/page.ts'
import { PageProblem } from './pages/page-problem.ts'
import { hashToken, isToken, newToken } from './token.ts'

export type Visit = {
  readonly token: string
  /** Where browsers reach us. */
  readonly publicUrl: string
  /** The browser's cookie, if it has one. */
  readonly browser: string | undefined
  readonly scheme: unknown
  readonly redirectUri: unknown
}

/** What is needed to connect, as a page; with the cookie that ties the session to this browser. */
export async function openConnect(ctx: Context, visit: Visit): Promise<{ page: Page; browser?: string }> {
  const link = openLoginLink(ctx.sealer, visit.token)
  if (link === undefined)
    throw new PageProblem(404, 'This link is not complete', 'Open it again where you found it, from beginning to end.')
  if (link.expiresAt <= new Date()) {
    throw new PageProblem(410, 'This link has expired', 'Go back to where you came from and start again.')
  }
  const target = await findTarget(ctx, link)
  const { app, application } = target
  const redirectUri = readRedirect(visit.redirectUri, application.allowedRedirects)
  const schemes = await offeredSchemes(ctx, link.appKey, app)
  const scheme = schemes.length === 1 ? schemes[0] : schemes.find(({ type }) => type === visit.scheme)
  if (schemes.length === 0) {
    throw new PageProblem(
      409,
      `${app.title} can not be connected yet`,
      `${application.name} has not set it up. Please ask those who run it.`,
    )
  }
  const action = `${visit.publicUrl}/connect/${visit.token}`
  if (scheme === undefined) return { page: choicePage(app, application.name, schemes, ({ type }) => choiceUrl(action, type, redirectUri)) }

  const browser = isToken(visit.browser) ? visit.browser : newToken()
  const session = newToken()
  const hashes = { tokenHash: hashToken(session), browserHash: hashToken(browser) }
  await insertSession(ctx.db, { ...link, ...hashes, scheme: scheme.type, linkExpiresAt: link.expiresAt, redirectUri })
  return {
    page: connectPage({
      ...formOf(app, scheme),
      application: application.name,
      action,
      session,
      formTargets: formTargets(scheme, ctx.config.outgoingReach),
    }),
    browser,
  }
}

/** What the form of a scheme holds. */
export function formOf(app: App, scheme: Scheme) {
  return { app: app.title, fields: connectFields(app, scheme), atProvider: scheme.type === 'oauth2' }
}

/** Only addresses that the application has listed: anything else could be anybody's. */
function readRedirect(given: unknown, allowed: readonly string[]): string | null {
  if (given === undefined) return null
  if (typeof given === 'string' && allowed.includes(given)) return given
  throw new PageProblem(
    400,
    'This link leads back to an unknown address',
    'The redirect_uri is not one that the application allows. Allow this address for the application first.',
  )
}

function choiceUrl(action: string, scheme: string, redirectUri: string | null): string {
  return `${action}?${new URLSearchParams({ scheme, ...(redirectUri === null ? {} : { redirect_uri: redirectUri }) })}`
}

import type { App, AuthorizationCodeScheme, Credentials } from '@onward/catalog'
import { html } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import { type ConnectSession, saveState, sessionRow, takeState } from '../db/connect-sessions.ts'
import { redeemCode, startAuthorization } from '../oauth/authorization.ts'
import { openOAuthClient } from '../oauth/client.ts'
import { OAuthError } from '../oauth/errors.ts'
import { finish } from './finish.ts'
import { shownApp } from './icon.ts'
import { identify } from './identify.ts'
import { loginUrl, sealEntered } from './login-link.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import { scriptJson, sendToOpener } from './pages/result-pages.ts'
import type { ConnectParts } from './parts.ts'
import { findOpenSession, hashToken, newToken } from './session.ts'
import { findTarget, isOwnPage, returnTo, type Target } from './target.ts'
import type { PageVisit } from './visit.ts'

/** What the session stores, sealed, while the user is at the provider. */
type Progress = { readonly settings: Credentials; readonly verifier: string; readonly userName?: string | null }

/** Redirects the user to the provider. The state that the provider returns belongs to this session only; its hash is stored. */
export async function startProvider(
  parts: ConnectParts,
  { app, application, userName }: Target,
  session: ConnectSession,
  scheme: AuthorizationCodeScheme,
  settings: Credentials,
  publicUrl: string,
): Promise<{ location: string }> {
  const client = await openOAuthClient(parts, application.appKey, app.name)
  if (client === null) throw cannotThisWay(app)
  const state = newToken()
  const { url, verifier } = await startAuthorization({ scheme, client, redirectUri: callbackUrl(publicUrl), state, settings })
  const progress: Progress = { settings, verifier, userName }
  await saveState(parts.db, session.id, hashToken(state), parts.sealer.seal(JSON.stringify(progress), sessionRow(session.id)))
  return { location: url }
}

/** Processes the provider's callback. It is accepted once, and only from the browser that was redirected to the provider. */
export async function finishProvider(parts: ConnectParts, visit: PageVisit, callback: URLSearchParams): Promise<Reply> {
  const { publicUrl, browser } = visit
  const state = callback.get('state') ?? ''
  const session = await findOpenSession(parts.db, { state }, browser)
  if (session.sealedProgress === null || !(await takeState(parts.db, session.id, hashToken(state)))) {
    throw new PageProblem(410, (t) => t.problems.linkUsed, START_AGAIN)
  }
  const progress: Progress = JSON.parse(parts.sealer.open(session.sealedProgress, sessionRow(session.id)))
  const target = await findTarget(parts.db, parts.catalog.current.functions, { ...session, userName: progress.userName })
  const { app, application } = target
  const scheme = app.schemes.find(({ type }) => type === 'oauth2')
  const client = await openOAuthClient(parts, application.appKey, app.name)
  if (scheme?.type !== 'oauth2' || client === null) {
    throw cannotThisWay(app)
  }
  const fail = (failure: SignInFailure) => replyToFailure(parts, target, session, progress.settings, publicUrl, failure)
  try {
    const redemption = { scheme, client, redirectUri: callbackUrl(publicUrl), state, callback, ...progress }
    const credentials = await redeemCode(parts.oauth, redemption)
    const identified = await identify(parts, session, app, credentials)
    if (identified.kind === 'known') return await finish(parts, visit, target, session, credentials, identified)
    const { kind, problem } = identified
    return await (kind === 'refused'
      ? fail({ error: 'access_denied', status: 400, problem })
      : fail({ error: 'temporarily_unavailable', status: 502, problem }))
  } catch (err) {
    if (!(err instanceof OAuthError)) throw err
    return await fail(toFailure(err))
  }
}

export function cannotThisWay(app: App, advice: Say = (t) => t.problems.pleaseStartAgain): PageProblem {
  return new PageProblem(409, (t) => fill(t.problems.cannotThisWay, { app: app.title }), advice)
}

/** Our only redirect URI: the application enters it when it registers its OAuth client. */
export function callbackUrl(publicUrl: string): string {
  return `${publicUrl}/connect/callback`
}

/** `error` is a code for the application, `problem` a text for the user. */
type SignInFailure = { readonly error: string; readonly status: number; readonly problem: Say }

function toFailure({ kind, message, code }: OAuthError): SignInFailure {
  switch (kind) {
    case 'denied':
      return { error: code ?? 'access_denied', status: 400, problem: (t) => t.result.denied }
    case 'invalid':
      return { error: code ?? 'server_error', status: 400, problem: () => message }
    case 'unreachable':
      return { error: 'temporarily_unavailable', status: 502, problem: () => message }
  }
}

/**
 * Returns a redirect to the application with the error, if the session has an allowed redirect URI. Otherwise throws a page, with a link to
 * try again until the login link expires. Our own page of accounts could not show the error.
 */
async function replyToFailure(
  parts: ConnectParts,
  target: Target,
  session: ConnectSession,
  settings: Credentials,
  publicUrl: string,
  failure: SignInFailure,
): Promise<Reply> {
  const { error, status, problem } = failure
  const { appKey, userId, app, linkExpiresAt: expiresAt, redirectUri, language } = session
  const own = redirectUri !== null && isOwnPage(redirectUri)
  // The query of a callback can be forged, so pass on only error codes of these characters.
  const back = own ? undefined : returnTo(target, session, { error: /^[\w.-]{1,100}$/.test(error) ? error : 'server_error' })
  if (back !== undefined) return back
  const link = { appKey, userId, userName: target.userName, app, expiresAt }
  const secret = new Set(target.app.accountSettings.filter((setting) => setting.secret).map(({ name }) => name))
  const entered = Object.fromEntries(Object.entries(settings).filter(([name]) => !secret.has(name)))
  const query = new URLSearchParams({
    entered: sealEntered(parts.sealer, link, entered),
    ...(own && { redirect_uri: redirectUri }),
    ...(language !== null && { locale: language }),
  })
  const url = `${loginUrl(parts.sealer, publicUrl, link)}?${query}`
  const again = (t: PageTexts) => html`<a class="again" href="${url}">${t.tryAgain}</a>`
  const title: Say = (t) => fill(t.result.notConnected, { app: target.app.title })
  const failed = new PageProblem(status, title, problem, expiresAt > new Date() ? again : undefined)
  failed.app = await shownApp(parts, app)
  failed.look = { ...target.application, language }
  failed.script = sendToOpener(scriptJson({ event: 'failed', code: error }), target.application.allowedOrigins)
  throw failed
}

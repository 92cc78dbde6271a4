import type { Context } from '../context.ts'
import { type ConnectSession, sessionRow, takeState } from '../db/connect-sessions.ts'
import { callbackUrl } from './callback-url.ts'
import { openSessionOf } from './find-session.ts'
import { findTarget, type Target } from './find-target.ts'
import { finish } from './finish.ts'
import { identify } from './identify.ts'
import { sealLoginLink } from './login-link.ts'
import { openOAuthClient } from './oauth/clients.ts'
import { OAuthError } from './oauth/oauth-error.ts'
import { redeemCode } from './oauth/redeem-code.ts'
import { html } from './pages/html.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem } from './pages/page-problem.ts'
import { returnTo } from './return-to.ts'
import type { Progress } from './start-provider.ts'
import { hashToken } from './token.ts'

export type Callback = { readonly callback: URLSearchParams; readonly publicUrl: string; readonly browser: string | undefined }

type Failed = { readonly error: string; readonly status: number; readonly problem: string }

/** Takes what the provider sent the browser back with: once, and only in the browser that was sent there. */
export async function finishProvider(ctx: Context, { callback, publicUrl, browser }: Callback): Promise<Reply> {
  const state = callback.get('state') ?? ''
  const session = await openSessionOf(ctx, { state }, browser)
  if (session.sealedProgress === null || !(await takeState(ctx.db, session.id, hashToken(state)))) {
    throw new PageProblem(410, 'This link has been used', 'Go back to where you came from and start again.')
  }
  const progress: Progress = JSON.parse(ctx.sealer.open(session.sealedProgress, sessionRow(session.id)))
  const target = await findTarget(ctx, session)
  const { app, application } = target
  const scheme = app.schemes.find(({ type }) => type === 'oauth2')
  const client = await openOAuthClient(ctx, application.appKey, app.name)
  if (scheme?.type !== 'oauth2' || client === null)
    throw new PageProblem(409, `${app.title} can not be connected in this way`, 'Please start again.')

  const fail = (failed: Failed) => failure(ctx, target, session, publicUrl, failed)
  try {
    const credentials = await redeemCode(ctx.oauth, { scheme, client, redirectUri: callbackUrl(publicUrl), state, callback, ...progress })
    const identified = await identify(ctx, app, credentials)
    if (identified.kind === 'known') return await finish(ctx, target, session, credentials, identified)
    const { kind, problem } = identified
    return fail(
      kind === 'refused' ? { error: 'access_denied', status: 400, problem } : { error: 'temporarily_unavailable', status: 502, problem },
    )
  } catch (err) {
    if (!(err instanceof OAuthError)) throw err
    return fail(failedBy(err))
  }
}

function failedBy({ kind, message, code }: OAuthError): Failed {
  switch (kind) {
    case 'denied':
      return { error: code ?? 'access_denied', status: 400, problem: 'You did not allow it, so nothing was stored.' }
    case 'invalid':
      return { error: code ?? 'server_error', status: 400, problem: message }
    case 'unreachable':
      return { error: 'temporarily_unavailable', status: 502, problem: message }
  }
}

/** Back to the application with the error, where it asked for that; else a page, with a way to try again while the link holds. */
function failure(ctx: Context, target: Target, session: ConnectSession, publicUrl: string, { error, status, problem }: Failed): Reply {
  // Anybody may have written what the browser brings; only a code of OAuth's own alphabet goes on.
  const back = returnTo(target, session, { error: /^[\w.-]{1,100}$/.test(error) ? error : 'server_error' })
  if (back !== undefined) return back
  const { appKey, userId, app, linkExpiresAt: expiresAt } = session
  const link = `${publicUrl}/connect/${sealLoginLink(ctx.sealer, { appKey, userId, app, expiresAt })}`
  const again = expiresAt > new Date() ? html`<a class="again" href="${link}">Try again</a>` : undefined
  throw new PageProblem(status, `${target.app.title} was not connected`, problem, again)
}

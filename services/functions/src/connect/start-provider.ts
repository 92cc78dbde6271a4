import type { AuthorizationCodeScheme, Credentials } from '@onward/catalog'
import type { Context } from '../context.ts'
import { type ConnectSession, saveState, sessionRow } from '../db/connect-sessions.ts'
import { callbackUrl } from './callback-url.ts'
import type { Target } from './find-target.ts'
import { openOAuthClient } from './oauth/clients.ts'
import { startAuthorization } from './oauth/start-authorization.ts'
import { PageProblem } from './pages/page-problem.ts'
import { hashToken, newToken } from './token.ts'

/** What is kept while the user is at the provider. */
export type Progress = { readonly settings: Credentials; readonly verifier: string }

/** Sends the user on to the provider. The state that comes back belongs to this session only, and only its hash is stored. */
export async function startProvider(
  ctx: Context,
  { app, application }: Target,
  session: ConnectSession,
  scheme: AuthorizationCodeScheme,
  settings: Credentials,
  publicUrl: string,
): Promise<{ location: string }> {
  const client = await openOAuthClient(ctx, application.appKey, app.name)
  if (client === null) throw new PageProblem(409, `${app.title} can not be connected in this way`, 'Please start again.')
  const state = newToken()
  const { url, verifier } = await startAuthorization({ scheme, client, redirectUri: callbackUrl(publicUrl), state, settings })
  const progress: Progress = { settings, verifier }
  await saveState(ctx.db, session.id, hashToken(state), ctx.sealer.seal(JSON.stringify(progress), sessionRow(session.id)))
  return { location: url }
}

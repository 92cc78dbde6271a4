import type { Context } from '../context.ts'
import { type ConnectSession, findSession } from '../db/connect-sessions.ts'
import { PageProblem } from './pages/page-problem.ts'
import { hashToken, isHashOf, isToken } from './token.ts'

const START_AGAIN = 'Go back to where you came from and start again.'

/**
 * The open session that a form's token or a provider's state belongs to. `browser` is the browser's cookie: a session goes on only in
 * the browser that it began in, or somebody could have another person finish what they began.
 */
export async function openSessionOf(
  ctx: Context,
  by: { readonly token: unknown } | { readonly state: unknown },
  browser: string | undefined,
): Promise<ConnectSession> {
  const given = 'token' in by ? by.token : by.state
  const hash = isToken(given) ? hashToken(given) : undefined
  const session = hash && (await findSession(ctx.db, 'token' in by ? { tokenHash: hash } : { stateHash: hash }))
  if (session === undefined) throw new PageProblem(400, 'This page can not go on', START_AGAIN)
  if (!isToken(browser) || !isHashOf(session.browserHash, browser)) {
    throw new PageProblem(
      403,
      'This was begun in another browser',
      `It must go on there; cookies must be allowed. Or: ${lower(START_AGAIN)}`,
    )
  }
  if (session.used)
    throw new PageProblem(410, 'This link has been used', `Your account may be connected already. If not: ${lower(START_AGAIN)}`)
  if (session.expiresAt <= new Date()) throw new PageProblem(410, 'This page has expired', START_AGAIN)
  return session
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

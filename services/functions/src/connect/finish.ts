import type { Credentials } from '@onward/catalog'
import type { Context } from '../context.ts'
import type { ConnectSession } from '../db/connect-sessions.ts'
import type { Target } from './find-target.ts'
import type { Identified } from './identify.ts'
import { connectedPage } from './pages/connected-page.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem } from './pages/page-problem.ts'
import { returnTo } from './return-to.ts'
import { storeAccount } from './store-account.ts'

/** Stores an account that was found good, and tells the user and the application; the page goes on to where the visit is to return. */
export async function finish(
  ctx: Context,
  target: Target,
  session: ConnectSession,
  credentials: Credentials,
  identified: Extract<Identified, { kind: 'known' }>,
): Promise<Reply> {
  const account = await storeAccount(ctx, target, session, credentials, identified)
  if (account === undefined) throw new PageProblem(410, 'This link has been used', 'Your account may be connected already.')
  ctx.log.info({ app_key: target.application.appKey, app: target.app.name, connected_account_id: account.id }, 'an account was connected')
  const back = returnTo(target, session, { authorization_id: String(account.id) })
  const shown = {
    app: target.app.title,
    application: target.application.name,
    displayName: account.displayName,
    accountId: account.id,
    back: back?.location,
  }
  return connectedPage(shown, target.application.allowedOrigins)
}

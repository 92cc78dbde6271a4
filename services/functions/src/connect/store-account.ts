import { createHash } from 'node:crypto'
import type { Credentials } from '@onward/catalog'
import type { Context } from '../context.ts'
import { type ConnectSession, endSession } from '../db/connect-sessions.ts'
import { type Account, accountRow, upsertAccount } from '../db/connected-accounts.ts'
import { displayName } from './display-name.ts'
import type { Target } from './find-target.ts'
import type { Identified } from './identify.ts'

const MAX_ID = 200

/**
 * Ends the session and stores the account, both or neither; undefined when the session had ended meanwhile. An account of the same
 * owner at the app is renewed rather than doubled.
 */
export async function storeAccount(
  ctx: Context,
  { app, application, userId }: Target,
  session: ConnectSession,
  credentials: Credentials,
  { name, id }: Extract<Identified, { kind: 'known' }>,
): Promise<Account | undefined> {
  const externalId = id === undefined || id.length <= MAX_ID ? id : createHash('sha256').update(id).digest('hex')
  return await ctx.db.transaction().execute(async (tx) => {
    if (!(await endSession(tx, session.id))) return undefined
    const account = {
      appKey: application.appKey,
      userId,
      app: app.name,
      displayName: displayName(name, app.title),
      externalId: externalId || null,
      renewedAt: credentials.access_token === undefined ? null : new Date(),
    }
    return await upsertAccount(tx, account, (accountId) => ctx.sealer.seal(JSON.stringify(credentials), accountRow(accountId)))
  })
}

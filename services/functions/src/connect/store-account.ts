import { createHash } from 'node:crypto'
import type { App, Credentials } from '@onward/catalog'
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
  return await ctx.db.transaction().execute(async (tx) => {
    if (!(await endSession(tx, session.id))) return undefined
    const account = {
      appKey: application.appKey,
      userId,
      app: app.name,
      displayName: displayName(name, app.title),
      externalId: externalIdOf(app, id, credentials),
      renewedAt: credentials.access_token === undefined ? null : new Date(),
    }
    return await upsertAccount(tx, account, (accountId) => ctx.sealer.seal(JSON.stringify(credentials), accountRow(accountId)))
  })
}

/** With settings such as a server's address, ids are of one server only: the first user of each may be 1. */
function externalIdOf({ accountSettings }: App, id: string | undefined, credentials: Credentials): string | null {
  if (!id) return null
  if (accountSettings.length > 0) return sha256(JSON.stringify([id, ...accountSettings.map(({ name }) => credentials[name] ?? '')]))
  return id.length <= MAX_ID ? id : sha256(id)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

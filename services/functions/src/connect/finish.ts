import { createHash } from 'node:crypto'
import type { App, Credentials } from '@onward/catalog'
import type { Log, Sealer } from '@onward/runtime'
import { type ConnectSession, endSession } from '../db/connect-sessions.ts'
import { type Account, accountRow, upsertAccount } from '../db/connected-accounts.ts'
import type { Db } from '../db/tables.ts'
import type { Identified } from './identify.ts'
import { connectedPage } from './pages/connected-page.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem } from './pages/problem.ts'
import { returnTo, type Target } from './target.ts'

type Parts = { readonly db: Db; readonly sealer: Sealer; readonly log: Log }
/** Name and id of the account at the app. */
type Identity = Extract<Identified, { kind: 'known' }>

const MAX_NAME = 200
const MAX_ID = 200

/**
 * Stores a tested account. Returns a page that shows the result to the user and sends it to the application, then redirects if the session
 * has an allowed redirect URI.
 */
export async function finish(
  parts: Parts,
  target: Target,
  session: ConnectSession,
  credentials: Credentials,
  identity: Identity,
): Promise<Reply> {
  const { app, application } = target
  const account = await storeAccount(parts, target, session, credentials, identity)
  if (account === undefined) throw new PageProblem(410, 'This link has been used', 'Your account may already be connected.')
  parts.log.info({ appKey: application.appKey, app: app.name, accountId: account.id }, 'an account was connected')
  const back = returnTo(target, session, { authorization_id: String(account.id) })
  const connected = {
    app: app.title,
    application: application.name,
    displayName: account.displayName,
    accountId: account.id,
    back: back?.location,
  }
  return connectedPage(connected, application.allowedOrigins)
}

/**
 * Ends the session and stores the account in one transaction. Returns undefined when the session had already ended. If the user has
 * connected the same account of the app before, that row is updated.
 */
async function storeAccount(
  { db, sealer }: Parts,
  { app, application, userId }: Target,
  session: ConnectSession,
  credentials: Credentials,
  { name, id }: Identity,
): Promise<Account | undefined> {
  return await db.transaction().execute(async (tx) => {
    if (!(await endSession(tx, session.id))) return undefined
    const account = {
      appKey: application.appKey,
      userId,
      app: app.name,
      displayName: displayName(name, app.title),
      externalId: externalIdOf(app, id, credentials),
      renewedAt: credentials.access_token === undefined ? null : new Date(),
    }
    return await upsertAccount(tx, account, (accountId) => sealer.seal(JSON.stringify(credentials), accountRow(accountId)))
  })
}

/** Returns a name from an app as one line of at most 200 characters; `fallback` when nothing is left. */
function displayName(name: string | undefined, fallback: string): string {
  // Removes control characters, and direction marks that could make the text after the name appear backwards.
  const plain = (name ?? '').replace(/[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return [...plain].slice(0, MAX_NAME).join('').trim() || fallback
}

/** Returns the owner's id at the app. It includes the account settings, such as a server's address: an id is unique on one server only. */
function externalIdOf({ accountSettings }: App, id: string | undefined, credentials: Credentials): string | null {
  if (!id) return null
  if (accountSettings.length > 0) return sha256(JSON.stringify([id, ...accountSettings.map(({ name }) => credentials[name] ?? '')]))
  return id.length <= MAX_ID ? id : sha256(id)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

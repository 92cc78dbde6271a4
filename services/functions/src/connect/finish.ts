import { createHash } from 'node:crypto'
import type { App, Credentials } from '@onward/catalog'
import type { AuditLog, Log, Sealer } from '@onward/runtime'
import { type NewAccount, nextAccountId, upsertAccount } from '../db/account-changes.ts'
import { type ConnectSession, endSession } from '../db/connect-sessions.ts'
import { accountRow } from '../db/connected-accounts.ts'
import { insertPending, pendingRow } from '../db/pending-accounts.ts'
import type { Db } from '../db/tables.ts'
import type { HeldAccounts } from '../onward/held-accounts.ts'
import { type Audited, recordUserChange } from './audit.ts'
import type { Identified } from './identify.ts'
import { plainText } from './pages/html.ts'
import type { Reply } from './pages/page.ts'
import { PageProblem } from './pages/problem.ts'
import { connectedPage } from './pages/result-pages.ts'
import { hashToken, newToken } from './session.ts'
import { returnTo, type Target } from './target.ts'

type Parts = {
  readonly db: Db
  readonly sealer: Sealer
  readonly accounts: Pick<HeldAccounts, 'drop'>
  readonly audit: AuditLog
  readonly log: Log
}
/** Name and id of the account at the app. */
type Identity = Extract<Identified, { kind: 'known' }>

/** Maximum length of a display name. */
export const MAX_NAME = 200
const MAX_ID = 200

/**
 * Stores a tested account. Returns a page that shows the result to the user and sends it to the application, then redirects if the session
 * has an allowed redirect URI.
 */
export async function finish(
  parts: Parts,
  audited: Audited,
  target: Target,
  session: ConnectSession,
  credentials: Credentials,
  identity: Identity,
): Promise<Reply> {
  const { app, application, userId } = target
  const account = {
    appKey: application.appKey,
    userId,
    app: app.name,
    displayName: plainText(identity.name ?? '', MAX_NAME) || app.title,
    externalId: externalIdOf(app, identity.id, credentials),
    renewedAt: credentials.access_token === undefined ? null : new Date(),
  }
  const confirmation = application.confirmAccounts ? newToken() : undefined
  const change = { action: 'connected-account.connect', target: { app: app.name }, after: null }
  const accountId = await recordUserChange(parts, audited, account, change, async (changed) => {
    const id = await storeAccount(parts, session, account, credentials, confirmation)
    if (id === undefined) throw new PageProblem(410, 'This link has been used', 'Your account may already be connected.')
    changed(null, { id, display_name: account.displayName, must_be_confirmed: confirmation !== undefined })
    return id
  })
  parts.accounts.drop(account)
  const done = confirmation === undefined ? 'an account was connected' : 'an account was stored; the application must confirm it'
  parts.log.info({ appKey: account.appKey, app: app.name, accountId }, done)
  const back = returnTo(target, session, { authorization_id: String(accountId), ...(confirmation && { confirmation }) })
  const { displayName } = account
  const connected = { app: app.title, application: application.name, userId, displayName, accountId, confirmation, back: back?.location }
  return connectedPage(connected, application.allowedOrigins)
}

/**
 * Ends the session and stores the account in one transaction. Returns its id; undefined when the session had already ended. If the user has
 * connected the same account of the app before, that row is updated. With a `confirmation`, the account is stored as pending.
 */
async function storeAccount(
  { db, sealer }: Parts,
  session: ConnectSession,
  account: NewAccount,
  credentials: Credentials,
  confirmation: string | undefined,
): Promise<number | undefined> {
  const seal = (row: string) => sealer.seal(JSON.stringify(credentials), row)
  return await db.transaction().execute(async (tx) => {
    if (!(await endSession(tx, session.id))) return undefined
    if (confirmation === undefined) return (await upsertAccount(tx, account, (id) => seal(accountRow(id)))).id
    const id = await nextAccountId(tx)
    await insertPending(tx, id, account, seal(pendingRow(id)), hashToken(confirmation))
    return id
  })
}

/**
 * Returns the owner's id at the app. It includes the account settings, such as a server's address: an id is unique on one server only.
 * Defaults are left out, so that a setting with a default can be added to an app.
 */
function externalIdOf({ accountSettings }: App, id: string | undefined, credentials: Credentials): string | null {
  if (!id) return null
  const own = accountSettings.filter((setting) => (credentials[setting.name] ?? setting.default) !== setting.default)
  if (own.length > 0) return sha256(JSON.stringify([id, ...own.map(({ name }) => credentials[name])]))
  return id.length <= MAX_ID ? id : sha256(id)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

import { createHash } from 'node:crypto'
import type { App, Credentials } from '@onward/catalog'
import { Refusal } from '@onward/runtime'
import { lockAccounts, MAX_ACCOUNTS, type NewAccount, nextAccountId, upsertAccount } from '../db/account-changes.ts'
import { type ConnectSession, endSession } from '../db/connect-sessions.ts'
import { accountRow } from '../db/connected-accounts.ts'
import { insertPending, type OldPending, pendingRow, takeExcessPending } from '../db/pending-accounts.ts'
import { type Audited, recordUserChange } from './audit.ts'
import { revokePending } from './expire-pending.ts'
import { shownApp } from './icon.ts'
import type { Identified } from './identify.ts'
import { inLook, type Reply } from './pages/page.ts'
import { plainText } from './pages/parts.ts'
import { PageProblem } from './pages/problem.ts'
import { connectedPage } from './pages/result-pages.ts'
import type { ConnectParts } from './parts.ts'
import { hashToken, newToken } from './session.ts'
import { confirmingUrl, returnTo, type Target } from './target.ts'

type Parts = Pick<ConnectParts, 'db' | 'sealer' | 'accounts' | 'catalog' | 'config' | 'oauth' | 'access' | 'log'>
/** Name and id of the account at the app. */
type Identity = Extract<Identified, { kind: 'known' }>

/** Maximum length of a display name. */
export const MAX_NAME = 200
const MAX_ID = 200

/**
 * Stores a tested account. Returns a page that shows the result to the user and sends it to the application, then redirects if the session
 * has an allowed redirect URI. Throws `too_many_accounts`.
 */
export async function finish(
  parts: Parts,
  audited: Audited,
  target: Target,
  session: ConnectSession,
  credentials: Credentials,
  identity: Identity,
): Promise<Reply> {
  const { app, application, userId, userName } = target
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
  const { accountId, excess } = await recordUserChange(parts, audited, account, change, async (noteChange) => {
    const stored = await storeAccount(parts, session, account, credentials, confirmation)
    if (stored === undefined) throw used()
    noteChange(null, { id: stored.accountId, display_name: account.displayName, must_be_confirmed: confirmation !== undefined })
    return stored
  })
  await Promise.all(excess.map((old) => revokePending(parts, old)))
  parts.accounts.drop(account)
  const done = confirmation === undefined ? 'an account was connected' : 'an account was stored; the application must confirm it'
  parts.log.info({ appKey: account.appKey, app: app.name, accountId }, done)
  const result = { authorization_id: String(accountId), ...(confirmation && { confirmation }) }
  const back = returnTo(target, session, result)?.location
  const confirmAt = confirmation === undefined ? undefined : confirmingUrl(target, session, result)
  const connected = {
    app: await shownApp(parts, app.name),
    application: application.name,
    userId,
    userName,
    displayName: account.displayName,
  }
  const page = connectedPage({ ...connected, accountId, confirmation, back, confirmAt }, application.allowedOrigins)
  return inLook(page, application, session.language)
}

function used(): PageProblem {
  return new PageProblem(
    410,
    (t) => t.problems.linkUsed,
    (t) => t.problems.maybeConnected,
  )
}

export function tooManyAccounts(): Refusal {
  return new Refusal('too_many_accounts', `the user already has ${MAX_ACCOUNTS} accounts of this app; disconnect one first`)
}

/**
 * Ends the session and stores the account in one transaction. Returns undefined when the session had already ended. If the user has connected
 * the same account of the app before, that row is updated. With a `confirmation`, the account is stored as pending; `excess` are the oldest
 * pending accounts of the user, which were deleted because there were too many.
 */
async function storeAccount(
  { db, sealer }: Parts,
  session: ConnectSession,
  account: NewAccount,
  credentials: Credentials,
  confirmation: string | undefined,
): Promise<{ readonly accountId: number; readonly excess: readonly OldPending[] } | undefined> {
  const seal = (row: string) => sealer.seal(JSON.stringify(credentials), row)
  return await db.transaction().execute(async (tx) => {
    if (!(await endSession(tx, session.id))) return undefined
    if (confirmation === undefined) {
      const connected = await upsertAccount(tx, account, (id) => seal(accountRow(id)))
      if (connected === undefined) throw tooManyAccounts()
      return { accountId: connected.id, excess: [] }
    }
    const { sameId, full } = await lockAccounts(tx, account)
    if (sameId === undefined && full) throw tooManyAccounts()
    const accountId = await nextAccountId(tx)
    await insertPending(tx, accountId, account, seal(pendingRow(accountId)), hashToken(confirmation))
    return { accountId, excess: await takeExcessPending(tx, account) }
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

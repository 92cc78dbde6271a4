import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Credentials, OAuthScheme } from '@onward/catalog'
import { type Log, Refusal, retryWrite, type Sealer } from '@onward/runtime'
import { leaseRenewal, releaseRenewal, storeFailedRenewal, storeRenewed } from '../db/account-renewal.ts'
import { accountRow, findAccount, type SealedAccount } from '../db/connected-accounts.ts'
import type { Db } from '../db/tables.ts'
import { type OAuthClient, openOAuthClient } from '../oauth/client.ts'
import { OAuthError } from '../oauth/errors.ts'
import { requestToken } from '../oauth/request-token.ts'
import type { TokenSender } from '../oauth/send.ts'
import { type AccountEvent, MAX_LAST_ERROR, statusAfter } from './account-status.ts'
import { openCredentials, tokenAge } from './credentials.ts'
import type { HeldAccounts } from './held-accounts.ts'
import type { Renewals } from './renewals.ts'

/** Longer than the time limit of a token request plus the time to store its result. */
const LEASE_MS = 30_000
const POLL_MS = { first: 50, max: 250 }
/** Maximum time to wait for a renewal. Longer than one lease, so that a caller can take over an expired lease. */
const WAIT_MS = 2 * LEASE_MS
/** Maximum number of failures, such as those of the database, after which a renewal is tried again. */
const MAX_FAILURES = 3

export type RenewalParts = {
  readonly db: Db
  readonly sealer: Sealer
  readonly accounts: Pick<HeldAccounts, 'drop'>
  readonly oauth: TokenSender & { readonly renewals: Renewals }
  readonly log: Log
}

/** The account to renew. `refused`: the app has answered 401 to its current token. */
export type Renewal = { readonly account: SealedAccount; readonly app: App; readonly scheme: OAuthScheme; readonly refused: boolean }

/**
 * Renews an account's token unless another process does. The process that holds the lease requests the token and stores it; the others
 * wait until the version of the account changes. Returns the current account, which may not have a new token.
 */
export async function renewAcrossProcesses(parts: RenewalParts, renewal: Renewal): Promise<SealedAccount> {
  const { account, app, scheme } = renewal
  const { id, version } = account
  const holder = randomUUID()
  let client: OAuthClient | null = null
  const giveUpAt = Date.now() + WAIT_MS
  let failures = 0
  for (let wait = POLL_MS.first; Date.now() < giveUpAt; wait = Math.min(POLL_MS.max, wait * 1.5)) {
    try {
      // Read the client before taking the lease: the lease covers only the token request and storing its result.
      if (scheme.type === 'oauth2') client ??= await openOAuthClient(parts, account.appKey, app.name)
      const lease = await leaseRenewal(parts.db, id, version, holder, LEASE_MS / 1_000)
      if (lease.state === 'taken') await renewLeased(parts, renewal, client, holder, lease.unfinishedUntil)
      if (lease.state !== 'busy') return await readAccount(parts, renewal)
    } catch (err) {
      // A short database failure must not fail all calls that wait for this token.
      if (err instanceof Refusal || ++failures > MAX_FAILURES) throw err
      parts.log.warn({ err, accountId: id }, 'an access token could not be renewed; trying again')
    }
    await sleep(wait)
  }
  // Other processes held the lease all this time without a result, not even that the provider was slow: they died or cannot store it.
  throw new Refusal('unavailable', `the access token for ${app.title} was not renewed in time, so nothing was called; try again`)
}

async function renewLeased(
  parts: RenewalParts,
  renewal: Renewal,
  client: OAuthClient | null,
  holder: string,
  unfinishedUntil: Date | null,
): Promise<void> {
  const { db, sealer, oauth, log } = parts
  const { account, app, scheme } = renewal
  const { id, version } = account
  const credentials = openCredentials(sealer, account, app)
  const renewedAt = new Date()
  try {
    const renewed = await oauth.renewals.request(account, () => requestToken(oauth, scheme, client, credentials))
    const sealedCredentials = sealer.seal(JSON.stringify(renewed), accountRow(id))
    // Without end: a rotated refresh token that is not stored is lost, because the old one no longer works. This may exceed the lease, since
    // other credentials are never overwritten.
    const store = () => storeRenewed(db, account, { sealedCredentials, renewedAt })
    await retryWrite(log, 'a renewed access token', store, oauth.renewals.closing)
  } catch (err) {
    if (!(err instanceof OAuthError)) {
      await releaseRenewal(db, id, version, holder)
      throw err
    }
    log.warn({ app: app.name, accountId: id, problem: err.message }, 'an access token could not be renewed')
    const state = stateAfterFailure(renewal, credentials, err, unfinishedUntil !== null)
    await storeFailedRenewal(db, id, version, { ...state, unfinishedUntil })
  }
}

/**
 * Returns the status and last error of an account after a failed renewal. They do not change while the current token may still be valid.
 * With an unfinished earlier renewal, no failure is permanent: its process may be suspended and hold the tokens that replaced the old ones.
 */
function stateAfterFailure({ account, app, scheme, refused }: Renewal, credentials: Credentials, err: OAuthError, unfinished: boolean) {
  const event: AccountEvent = isPermanent(scheme, err) && !unfinished ? 'grant_gone' : 'renewal_failed'
  const usable = event === 'renewal_failed' && !refused && tokenAge(credentials, account.renewedAt) !== 'expired'
  const status = usable ? account.status : statusAfter(account.status, event)
  return { status, lastError: usable ? account.lastError : `${app.title}: ${err.message}`.slice(0, MAX_LAST_ERROR) }
}

/** Client credentials and private keys belong to the account: when the server refuses them, only the user can replace them. */
function isPermanent(scheme: OAuthScheme, { code }: OAuthError): boolean {
  if (code === 'invalid_grant') return true
  return scheme.type !== 'oauth2' && (code === 'invalid_client' || code === 'unauthorized_client' || code === 'access_denied')
}

async function readAccount({ db, accounts }: RenewalParts, { account, app }: Renewal): Promise<SealedAccount> {
  accounts.drop(account)
  const current = await findAccount(db, account.id)
  if (current !== undefined) return current
  throw new Refusal('account_not_connected', `the account of ${app.title} was disconnected`, [`${app.name}: the account was disconnected`])
}

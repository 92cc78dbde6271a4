import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Credentials, OAuthScheme } from '@onward/catalog'
import { type Log, Refusal, retryWrite, type Sealer } from '@onward/runtime'
import { leaseRenewal, releaseRenewal, storeFailedRenewal, storeRenewed } from '../db/account-renewal.ts'
import { accountRow, findAccount, type SealedAccount } from '../db/connected-accounts.ts'
import type { Db } from '../db/tables.ts'
import type { FunctionsMetrics } from '../metrics.ts'
import { type OAuthClient, openOAuthClient } from '../oauth/client.ts'
import type { OAuthError } from '../oauth/errors.ts'
import { withoutToken } from '../oauth/exchange.ts'
import { type Renewed, requestTokens, type TokenFailure } from '../oauth/request-token.ts'
import type { TokenSender } from '../oauth/send.ts'
import { type AccountEvent, MAX_LAST_ERROR, statusAfter } from './account-status.ts'
import { openCredentials, type Token, tokenAge, tokenNamed } from './credentials.ts'
import type { HeldAccounts } from './held-accounts.ts'
import type { Renewals } from './renewals.ts'

/** Longer than the time limit of a token request plus the time to store its result. */
const LEASE_MS = 30_000
const POLL_MS = { first: 50, max: 250 }
/** Maximum time to wait for a renewal. Longer than one lease, so that a caller can take over an expired lease. */
const WAIT_MS = 2 * LEASE_MS
/** Maximum number of failures, for example of the database, after which a renewal is tried again. */
const MAX_FAILURES = 3

export type RenewalParts = {
  readonly db: Db
  readonly sealer: Sealer
  readonly accounts: Pick<HeldAccounts, 'drop'>
  readonly oauth: TokenSender & { readonly renewals: Renewals }
  readonly metrics: Pick<FunctionsMetrics, 'renewals'>
  readonly log: Log
}

/** The account to renew. `refused`: the token that the app has refused; null when none was. */
export type Renewal = { readonly account: SealedAccount; readonly app: App; readonly scheme: OAuthScheme; readonly refused: Token | null }

/**
 * Renews an account's tokens unless another process does. The process that holds the lease requests the tokens and stores them together;
 * the others wait until the version of the account changes. Returns the current account, which may not have new tokens.
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
  // Other processes held the lease all this time and stored no result, not even a failure: they died, or cannot reach the database.
  throw new Refusal('unavailable', `the access token for ${app.title} was not renewed in time, so nothing was called; try again`)
}

async function renewLeased(
  parts: RenewalParts,
  renewal: Renewal,
  client: OAuthClient | null,
  holder: string,
  unfinishedUntil: Date | null,
): Promise<void> {
  const { db, sealer, oauth, metrics, log } = parts
  const { account, app, scheme } = renewal
  const { id, version } = account
  const credentials = openCredentials(sealer, account, app)
  const renewedAt = new Date()
  try {
    const renewed = await oauth.renewals.request(account, () => requestTokens(oauth, scheme, client, credentials))
    for (const { other, err } of renewed.failures) {
      log.warn({ app: app.name, accountId: id, token: other ?? undefined, problem: err.message }, 'an access token could not be renewed')
    }
    const unfinished = unfinishedUntil !== null
    const state = stateAfter(renewal, credentials, renewed, unfinished)
    const kept = withoutDeadTokens(renewed, unfinished)
    const result = state.status === 'reconnect_required' ? state.status : renewed.failures.length > 0 ? 'failed' : 'renewed'
    metrics.renewals.inc({ app: app.name, result })
    if (kept === credentials) {
      await storeFailedRenewal(db, id, version, { ...state, unfinishedUntil })
      return
    }
    const sealedCredentials = sealer.seal(JSON.stringify(kept), accountRow(id))
    // Has no time limit: a new refresh token that is not stored is lost, and the old one may no longer work. This may outlast the lease,
    // because `storeRenewed` never overwrites other credentials.
    const store = () => storeRenewed(db, account, { ...state, sealedCredentials, renewedAt })
    await retryWrite(log, 'a renewed access token', store, oauth.renewals.closing)
  } catch (err) {
    await releaseRenewal(db, id, version, holder)
    throw err
  }
}

/**
 * Returns the status and last error of an account after a renewal. The status depends on the access token. A failure does not change it
 * while the current access token may still be valid. With an unfinished earlier renewal, no failure is permanent: its process may be
 * suspended and hold the tokens that replaced the old ones.
 */
function stateAfter(
  { account, app, scheme, refused }: Renewal,
  credentials: Credentials,
  { requested, failures }: Renewed,
  unfinished: boolean,
): Pick<SealedAccount, 'status' | 'lastError'> {
  const textOf = ({ other, err }: TokenFailure) =>
    `${app.title}: ${other === null ? '' : `${other}: `}${err.message}`.slice(0, MAX_LAST_ERROR)
  const failure = failures.find(({ other }) => other === null)
  if (failure === undefined) {
    const [first] = failures
    return { status: requested.includes(null) ? 'active' : account.status, lastError: first === undefined ? null : textOf(first) }
  }
  const event: AccountEvent = isPermanent(scheme, failure.err) && !unfinished ? 'grant_gone' : 'renewal_failed'
  const isRefused = refused !== null && refused.other === null
  const usable = event === 'renewal_failed' && !isRefused && tokenAge(tokenNamed(null, credentials), account.renewedAt) !== 'expired'
  return usable
    ? { status: account.status, lastError: account.lastError }
    : { status: statusAfter(account.status, event), lastError: textOf(failure) }
}

/**
 * Returns the credentials without the other tokens whose grant is gone, so that the functions that need one ask the user to connect again,
 * and all others continue.
 */
function withoutDeadTokens({ credentials, failures }: Renewed, unfinished: boolean): Credentials {
  const dead = failures.filter(({ err }) => err.code === 'invalid_grant' && !unfinished)
  return dead.reduce((kept, { other }) => (other === null ? kept : withoutToken(kept, other)), credentials)
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Credentials, OAuthScheme } from '@onward/catalog'
import { Refusal } from '@onward/runtime'
import type { Context } from '../../context.ts'
import { leaseRenewal, releaseRenewal, storeNotRenewed, storeRenewed } from '../../db/account-renewal.ts'
import { accountRow, findAccount, type SealedAccount } from '../../db/connected-accounts.ts'
import type { OAuthClient } from '../oauth/client.ts'
import { openOAuthClient } from '../oauth/clients.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { requestToken } from '../oauth/request-token.ts'
import { type AccountEvent, statusAfter } from './account-states.ts'
import { ageOf, openCredentials } from './credentials.ts'

/** Longer than a token request may take, with some time to store what it gave. */
const LEASE_MS = 30_000
const POLL_MS = { first: 50, most: 250 }
/** Leases run out, so this is only there that no wait is without an end. */
const WAIT_MS = 2 * LEASE_MS
/** For so long storing a token is tried: past the lease too, for nobody's newer token is ever overwritten. */
const STORE_MS = 60_000
const STORE_RETRY_MS = 250
const MAX_FAILURES = 3
const MAX_ERROR = 300

/** What is to be renewed. `refused`: the app has answered 401 to the token that is there. */
export type Renewal = { readonly account: SealedAccount; readonly app: App; readonly scheme: OAuthScheme; readonly refused: boolean }

/**
 * Renews an account's token unless another process does: one of all processes has the lease, asks, and stores what it got. The others
 * wait until the account's version moves. Gives the account as it is then, with or without a new token.
 */
export async function renewAcrossProcesses(ctx: Context, renewal: Renewal): Promise<SealedAccount> {
  const { account, app, scheme } = renewal
  const { id, version } = account
  let client: OAuthClient | null = null
  const giveUpAt = Date.now() + WAIT_MS
  let failures = 0
  for (let wait = POLL_MS.first; Date.now() < giveUpAt; wait = Math.min(POLL_MS.most, wait * 1.5)) {
    try {
      // Read before the lease is taken, whose time is for the request and for storing what it gives.
      if (scheme.type === 'oauth2') client ??= await openOAuthClient(ctx, account.appKey, app.name)
      const lease = await leaseRenewal(ctx.db, id, version, LEASE_MS / 1_000)
      if (lease === 'taken') await renewAlone(ctx, renewal, client)
      if (lease !== 'busy') return await accountNow(ctx, renewal)
    } catch (err) {
      // A database that is busy for a moment must not cost all who wait here their calls.
      if (err instanceof Refusal || ++failures > MAX_FAILURES) throw err
      ctx.log.warn({ err, accountId: id }, 'an access token could not be renewed; trying again')
    }
    await sleep(wait)
  }
  throw new Refusal('token_renewal_failed', `the access token for ${app.title} could not be renewed in time`)
}

async function renewAlone(ctx: Context, renewal: Renewal, client: OAuthClient | null): Promise<void> {
  const { account, app, scheme } = renewal
  const { id, version } = account
  const credentials = openCredentials(ctx, account)
  const renewedAt = new Date()
  try {
    const renewed = await requestToken(ctx.oauth, scheme, client, credentials)
    const sealedCredentials = ctx.sealer.seal(JSON.stringify(renewed), accountRow(id))
    await untilStored(ctx, () => storeRenewed(ctx.db, id, version, { sealedCredentials, renewedAt }))
  } catch (err) {
    if (!(err instanceof OAuthError)) {
      await releaseRenewal(ctx.db, id, version)
      throw err
    }
    ctx.log.warn({ app: app.name, accountId: id, problem: err.message }, 'an access token could not be renewed')
    await storeNotRenewed(ctx.db, id, version, stateAfter(renewal, credentials, err))
  }
}

/** Somebody else's renewal may have used up the grant: the state is stored only if the account is still the one that was read. */
function stateAfter({ account, app, scheme, refused }: Renewal, credentials: Credentials, err: OAuthError) {
  const event: AccountEvent = isGone(scheme, err) ? 'grant_gone' : 'renewal_failed'
  const usable = event === 'renewal_failed' && !refused && ageOf(credentials, account.renewedAt) !== 'over'
  const status = usable ? account.status : statusAfter(account.status, event)
  return { status, lastError: usable ? account.lastError : `${app.title}: ${err.message}`.slice(0, MAX_ERROR) }
}

/** Client credentials and keys are the account's own: when they are refused, only the user can bring others. */
function isGone(scheme: OAuthScheme, { code }: OAuthError): boolean {
  if (code === 'invalid_grant') return true
  return scheme.type !== 'oauth2' && (code === 'invalid_client' || code === 'unauthorized_client' || code === 'access_denied')
}

/** A rotated refresh token that is not stored is lost: the old one is used up. */
async function untilStored(ctx: Context, store: () => Promise<void>): Promise<void> {
  const giveUpAt = Date.now() + STORE_MS
  for (;;) {
    try {
      return await store()
    } catch (err) {
      if (Date.now() > giveUpAt) throw err
      ctx.log.warn({ err }, 'a renewed access token could not be stored; trying again')
      await sleep(STORE_RETRY_MS)
    }
  }
}

async function accountNow(ctx: Context, { account, app }: Renewal): Promise<SealedAccount> {
  const now = await findAccount(ctx.db, account.id)
  if (now === undefined) throw new Refusal('account_not_connected', `the account of ${app.title} was disconnected`)
  return now
}

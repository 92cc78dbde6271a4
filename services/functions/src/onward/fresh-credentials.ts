import type { App, AppFunction } from '@onward/catalog'
import { inTime, Refusal } from '@onward/runtime'
import type { SealedAccount } from '../db/connected-accounts.ts'
import {
  isJustRenewed,
  msSinceRenewal,
  type OpenAccount,
  openCredentials,
  renewableScheme,
  type Token,
  tokenAge,
  tokenFor,
} from './credentials.ts'
import { type Renewal, type RenewalParts, renewAcrossProcesses } from './renew-token.ts'

/**
 * Within this time after a renewal, a refused token causes no other renewal if the account is `expired`. The same holds if the token is not
 * the access token, because its refusal does not change the status.
 */
const REFUSED_PAUSE_MS = 30_000
/** Maximum time to wait for a new token while the current one may still be valid. */
const MAX_EARLY_WAIT_MS = 2_000

/**
 * Returns an account's credentials, and renews its tokens if the token that the function needs has expired or expires soon. Waits until
 * `deadline` (ms since the epoch). Throws a Refusal when there is no usable token: `token_renewal_failed` when the app's token endpoint
 * failed and a later try may succeed, `unavailable` when something else did, `account_reconnect_required` when the user has to connect
 * again.
 */
export async function freshCredentials(
  parts: RenewalParts,
  account: SealedAccount,
  fn: Pick<AppFunction, 'app' | 'token'>,
  deadline: number,
): Promise<OpenAccount> {
  const { app } = fn
  const credentials = openCredentials(parts.sealer, account, app)
  const opened = { account, credentials }
  const token = tokenFor(fn, credentials)
  const scheme = renewableScheme(app, credentials, token)
  const age = tokenAge(token, account.renewedAt)
  if (scheme === undefined || age === 'fresh') return opened
  // If the current token may still be valid, wait only briefly for a new one and leave the remaining time to the call.
  const earlyMs = Math.min(MAX_EARLY_WAIT_MS, (deadline - Date.now()) / 4)
  const waitMs = age === 'expired' ? deadline - Date.now() : earlyMs
  const renewed = await inTime(waitMs, renew(parts, { account, app, scheme, refused: null }), () => opened)
  if (renewed.account.status === 'reconnect_required') throw mustReconnect(app, renewed.account)
  const current = tokenFor(fn, renewed.credentials)
  if (tokenAge(current, renewed.account.renewedAt) !== 'expired') return renewed
  const timedOut = renewed === opened
  // The app may be healthy. Another process may be waiting for the token endpoint, or may have new tokens that it cannot store yet, so that
  // the app refuses the old ones. Or storing the new token took longer than it was valid.
  const mayBeHealthy = timedOut
    ? !parts.oauth.renewals.requesting(account)
    : renewed.account.renewalUnfinished || wasValid(renewed.account, current)
  if (mayBeHealthy) {
    throw new Refusal('unavailable', `the access token for ${app.title} was not renewed in time, so nothing was called; try again`)
  }
  const why = timedOut ? 'there was no response in time' : (renewed.account.lastError ?? 'the new one has expired, too')
  throw new Refusal('token_renewal_failed', `the access token for ${app.title} could not be renewed, so nothing was called: ${why}`)
}

/** Returns whether an expired token was valid when it was requested. */
function wasValid({ renewedAt, status }: SealedAccount, { expires }: Token): boolean {
  return status === 'active' && renewedAt !== null && Date.parse(expires ?? '') > renewedAt.getTime()
}

/** Returns the refusal of a call with an account that the user has to connect again. It says why. */
export function mustReconnect(app: App, { lastError }: Pick<SealedAccount, 'lastError'>): Refusal {
  const details = [`${app.name}: ${lastError ?? 'the app no longer accepts the credentials'}`]
  return new Refusal('account_reconnect_required', `the account of ${app.title} must be connected again`, details)
}

/**
 * Renews the tokens of an account after the app refused the token that the function needs. Returns the account with a new token; undefined
 * when the token cannot be renewed, was renewed shortly before, or is not renewed by `deadline`.
 */
export async function renewCredentials(
  parts: RenewalParts,
  opened: OpenAccount,
  fn: Pick<AppFunction, 'app' | 'token'>,
  deadline: number,
): Promise<OpenAccount | undefined> {
  const { account, credentials } = opened
  const { app } = fn
  const token = tokenFor(fn, credentials)
  const scheme = renewableScheme(app, credentials, token)
  if (scheme === undefined || isJustRenewed(account)) return undefined
  if ((account.status === 'expired' || token.other !== null) && msSinceRenewal(account) < REFUSED_PAUSE_MS) return undefined
  const renewal = renew(parts, { account, app, scheme, refused: token })
  const renewed = await inTime(deadline - Date.now(), renewal, () => opened).catch((err: unknown) => {
    parts.log.warn({ err }, 'a refused access token could not be renewed')
    return opened
  })
  return tokenFor(fn, renewed.credentials).token === token.token ? undefined : renewed
}

/** Renews an account's tokens. A renewal continues after its caller stops waiting, because other callers wait for it too. */
async function renew(parts: RenewalParts, renewal: Renewal): Promise<OpenAccount> {
  const account = await parts.oauth.renewals.join(renewal.account, () => renewAcrossProcesses(parts, renewal))
  return { account, credentials: openCredentials(parts.sealer, account, renewal.app) }
}

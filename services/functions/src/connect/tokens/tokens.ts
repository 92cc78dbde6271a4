import type { App, Credentials } from '@onward/catalog'
import { Refusal } from '@onward/runtime'
import type { Context } from '../../context.ts'
import type { SealedAccount } from '../../db/connected-accounts.ts'
import { ageOf, openCredentials, renewableScheme } from './credentials.ts'
import { type Renewal, renewAcrossProcesses } from './renew.ts'

/** An account as it was read, and its credentials. */
export type OpenAccount = { readonly account: SealedAccount; readonly credentials: Credentials }

/** A token that was asked for only just now is not to blame for a 401: asking at once again would go on for ever. */
const JUST_NOW_MS = 5_000
/** For so long an account whose newest token was refused is left alone: another one would hardly be better. */
const REFUSED_MS = 300_000
const MAX_EARLY_WAIT_MS = 2_000

/**
 * An account's credentials, with a new access token in place of one that has expired or is about to. Waits until `deadline` (ms since
 * the epoch) for it. Throws a Refusal when there is none: `token_renewal_failed` for now, `account_reconnect_required` for good.
 */
export async function freshCredentials(ctx: Context, account: SealedAccount, app: App, deadline: number): Promise<OpenAccount> {
  const credentials = openCredentials(ctx, account)
  const open = { account, credentials }
  const scheme = renewableScheme(app, credentials)
  const age = ageOf(credentials, account.renewedAt)
  if (scheme === undefined || age === 'fresh') return open
  // A token that still works is not waited for long: the call needs the time.
  const latest = age === 'over' ? deadline : Math.min(deadline, Date.now() + Math.min(MAX_EARLY_WAIT_MS, (deadline - Date.now()) / 4))
  const renewed = await until(latest, renew(ctx, { account, app, scheme, refused: false }), open)
  if (renewed.account.status === 'reconnect_required')
    throw new Refusal('account_reconnect_required', `the account of ${app.title} must be connected again`)
  if (ageOf(renewed.credentials, renewed.account.renewedAt) !== 'over') return renewed
  const why = renewed.account.lastError ?? 'there was no answer in time'
  throw new Refusal('token_renewal_failed', `the access token for ${app.title} could not be renewed, so nothing was called: ${why}`)
}

/**
 * Another access token than the one that the app has just refused: a new one, or the one that somebody else got meanwhile. Undefined
 * when there is none. Waits until `deadline` for it.
 */
export async function renewCredentials(ctx: Context, open: OpenAccount, app: App, deadline: number): Promise<OpenAccount | undefined> {
  const { account, credentials } = open
  const scheme = renewableScheme(app, credentials)
  if (scheme === undefined || isJustRenewed(account)) return undefined
  if (account.status === 'expired' && ageSinceRenewal(account) < REFUSED_MS) return undefined
  const renewed = await until(deadline, renew(ctx, { account, app, scheme, refused: true }), open).catch((err: unknown) => {
    ctx.log.warn({ err }, 'an access token that was refused could not be renewed')
    return open
  })
  return renewed.credentials.access_token === credentials.access_token ? undefined : renewed
}

/** Whether an account's token is so new that a 401 is not for its age. */
export function isJustRenewed(account: SealedAccount): boolean {
  return ageSinceRenewal(account) < JUST_NOW_MS
}

function ageSinceRenewal({ renewedAt }: SealedAccount): number {
  return Date.now() - (renewedAt?.getTime() ?? 0)
}

async function renew(ctx: Context, renewal: Renewal): Promise<OpenAccount> {
  const account = await ctx.oauth.renewals.join(renewal.account, () => renewAcrossProcesses(ctx, renewal))
  return { account, credentials: openCredentials(ctx, account) }
}

/** What the work gives, or `late` when it gives nothing by the deadline; the work itself goes on, for others wait for it too. */
async function until<T>(deadline: number, work: Promise<T>, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.max(0, deadline - Date.now()))
  })
  return await Promise.race([work, end]).finally(() => clearTimeout(timer))
}

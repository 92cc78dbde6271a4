import type { App } from '@onward/catalog'
import { Refusal } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'
import { deleteAccount } from '../db/account-changes.ts'
import { findOwnAccount, readAccountId, type SealedAccount } from '../db/connected-accounts.ts'
import { OAuthError } from '../oauth/errors.ts'
import { revokeAccess } from '../oauth/revoke-token.ts'
import { openCredentials } from '../onward/credentials.ts'

/**
 * Disconnects one of a user's own accounts: revokes its access at the app, then deletes its credentials. When the revocation fails, the
 * account stays and 502 `revocation_failed` says why; with `force` the account is deleted anyway.
 */
export async function disconnect(ctx: Context, caller: Caller, id: string, force: boolean): Promise<void> {
  const account = await findOwnAccount(ctx.db, caller, readAccountId(id))
  if (account === undefined) throw new Refusal('connected_account_not_found', 'you have no such connected account')
  try {
    await revoke(ctx, caller, account)
  } catch (err) {
    if (!force) throw err
    ctx.log.warn({ err, accountId: account.id }, 'an account was disconnected by force; the app may still accept its token')
  }
  await deleteAccount(ctx.db, caller.appKey, account.id)
  ctx.accounts.drop(account)
}

async function revoke(ctx: Context, { appKey }: Caller, account: SealedAccount): Promise<void> {
  const app = ctx.catalog.current.functions.app(account.app)
  if (app === undefined) return
  try {
    await revokeAccess(ctx, appKey, app, openCredentials(ctx.sealer, account, app))
  } catch (err) {
    throw err instanceof OAuthError ? failed(app, err.message) : err
  }
}

function failed({ title }: App, why: string): Refusal {
  return new Refusal('revocation_failed', `${title} did not revoke its access, so the account stays connected: ${why}`)
}

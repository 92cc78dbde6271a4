import type { App } from '@onward/catalog'
import { Refusal, type UserKey } from '@onward/runtime'
import { deleteAccount } from '../db/account-changes.ts'
import { findOwnAccount, readAccountId, type SealedAccount } from '../db/connected-accounts.ts'
import { OAuthError } from '../oauth/errors.ts'
import { revokeAccess } from '../oauth/revoke-token.ts'
import { openCredentials } from '../onward/credentials.ts'
import type { ConnectParts } from './parts.ts'

/**
 * Disconnects one of a user's own accounts: revokes its access at the app, then deletes its credentials. When the revocation fails, the
 * account stays and 502 `revocation_failed` says why; with `force` the account is deleted anyway. Returns whether the revocation did not fail.
 */
export async function disconnect(parts: ConnectParts, caller: UserKey, id: string, force: boolean): Promise<boolean> {
  const account = await findOwnAccount(parts.db, caller, readAccountId(id))
  if (account === undefined) throw new Refusal('connected_account_not_found', 'you have no such connected account')
  let revoked = true
  try {
    await revoke(parts, caller, account)
  } catch (err) {
    if (!force) throw err
    revoked = false
    parts.log.warn({ err, accountId: account.id }, 'an account was disconnected by force; the app may still accept its token')
  }
  await deleteAccount(parts.db, caller.appKey, account.id)
  parts.accounts.drop(account)
  return revoked
}

async function revoke(parts: ConnectParts, { appKey }: UserKey, account: SealedAccount): Promise<void> {
  const app = parts.catalog.current.functions.app(account.app)
  if (app === undefined) return
  try {
    await revokeAccess(parts, appKey, app, openCredentials(parts.sealer, account, app))
  } catch (err) {
    throw err instanceof OAuthError ? failed(app, err.message) : err
  }
}

function failed({ title }: App, why: string): Refusal {
  return new Refusal('revocation_failed', `${title} did not revoke its access, so the account stays connected: ${why}`)
}

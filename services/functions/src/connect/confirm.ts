import { Refusal, type UserKey } from '@onward/runtime'
import { upsertAccount } from '../db/account-changes.ts'
import { type Account, accountRow, findOwnAccount, readAccountId } from '../db/connected-accounts.ts'
import { lockPending, markConfirmed, pendingRow } from '../db/pending-accounts.ts'
import { tooManyAccounts } from './finish.ts'
import type { ConnectParts } from './parts.ts'
import { hashToken } from './session.ts'

/**
 * Turns a pending account of the caller into a connected account, and returns it. Can be repeated. If an attacker sends their own link to a
 * victim, only the victim's browser receives `confirmation`. The application then confirms as the victim, and gets a Refusal, because the
 * pending account belongs to the attacker. If the user has too many accounts, the pending one stays.
 */
export async function confirm(
  parts: Pick<ConnectParts, 'db' | 'sealer' | 'accounts'>,
  caller: UserKey,
  id: string,
  confirmation: string,
): Promise<Account> {
  const account = await confirmPending(parts, caller, readAccountId(id), hashToken(confirmation))
  if (account === undefined) throw new Refusal('connected_account_not_found', 'you have no such account to confirm')
  parts.accounts.drop({ ...caller, app: account.app })
  return account
}

async function confirmPending(
  { db, sealer }: Pick<ConnectParts, 'db' | 'sealer'>,
  caller: UserKey,
  id: number,
  confirmationHash: Buffer,
): Promise<Account | undefined> {
  return await db.transaction().execute(async (tx) => {
    const pending = await lockPending(tx, caller, id, confirmationHash)
    if (pending?.accountId) return await findOwnAccount(tx, caller, pending.accountId)
    if (!pending?.sealedCredentials) return undefined
    const credentials = sealer.open(pending.sealedCredentials, pendingRow(id))
    const account = await upsertAccount(tx, pending, (accountId) => sealer.seal(credentials, accountRow(accountId)), id)
    if (account === undefined) throw tooManyAccounts()
    await markConfirmed(tx, id, account.id)
    return account
  })
}

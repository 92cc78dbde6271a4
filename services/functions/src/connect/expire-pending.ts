import { withDefaults } from '@onward/catalog'
import { inTime } from '@onward/runtime'
import { type OldPending, pendingRow, takeOldPending } from '../db/pending-accounts.ts'
import { revokeAccess } from '../oauth/revoke-token.ts'
import type { ConnectParts } from './parts.ts'

type Parts = Pick<ConnectParts, 'db' | 'sealer' | 'catalog' | 'oauth' | 'log'>

/** Maximum number of accounts that are revoked at the same time. */
const PAGE = 20
/** Maximum time to wait for a revocation, so that it does not delay the end of the process. */
const REVOKE_MS = 5_000

/**
 * Deletes up to 20 accounts that their application did not confirm within a day, and revokes their access at the app. A revocation that
 * fails is logged and not repeated.
 */
export async function expirePending(parts: Parts): Promise<void> {
  const page = await takeOldPending(parts.db, PAGE)
  await Promise.all(page.map((account) => revokePending(parts, account)))
}

/** Revokes the access of a pending account that was deleted, unless this could end another account. Never throws. */
export async function revokePending(parts: Parts, { id, appKey, app: name, sealedCredentials, ownerConnected }: OldPending): Promise<void> {
  const app = parts.catalog.current.functions.app(name)
  // Revoking one token can end other grants of the same owner (RFC 7009, 2.1), and with them another account.
  if (app === undefined || sealedCredentials === null || ownerConnected) return
  try {
    const credentials = withDefaults(app, JSON.parse(parts.sealer.open(sealedCredentials, pendingRow(id))))
    await inTime(REVOKE_MS, revokeAccess(parts, appKey, app, credentials))
  } catch (err) {
    parts.log.warn(
      { err, appKey, app: name, accountId: id },
      'an account that was not confirmed was deleted; the app may still accept its token',
    )
  }
}

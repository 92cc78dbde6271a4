import { sealedTag } from '@onward/runtime'
import { sql } from 'kysely'
import type { Account, SealedAccount } from './connected-accounts.ts'
import type { Db } from './tables.ts'

/**
 * - `taken`: the caller now holds the lease. `unfinishedUntil` is the end of an earlier lease that ended without a result, if that was
 *   within `UNFINISHED_SECONDS`; otherwise null;
 * - `busy`: another caller holds it;
 * - `moved`: the account has changed since it was read: it was renewed, connected again or disconnected.
 */
type Lease = { readonly state: 'taken'; readonly unfinishedUntil: Date | null } | { readonly state: 'busy' | 'moved' }

/** For this long after its lease, a suspended process is expected to resume and to store its result. */
const UNFINISHED_SECONDS = 120

/**
 * Takes the renewal lease of an account for `seconds`. Until it expires, only the same `holder` can take it again: the acknowledgement of
 * its first attempt can get lost. Such a lease may have replaced an expired one, so it also counts as unfinished, until now.
 */
export async function leaseRenewal(db: Db, id: number, version: string, holder: string, seconds: number): Promise<Lease> {
  // The outer select reads the row as it was before the update.
  const { rows } = await sql<{ version: string; taken: boolean; unfinishedUntil: Date | null }>`
    with taken as (
      update connected_account set renew_leased_until = now() + make_interval(secs => ${seconds}), renew_leased_by = ${holder}
      where id = ${id} and version = ${version} and (coalesce(renew_leased_until, '-infinity') < now() or renew_leased_by = ${holder})
      returning id
    )
    select version, exists (select from taken) as taken,
      case when renew_leased_until > now() - make_interval(secs => ${UNFINISHED_SECONDS}) then least(renew_leased_until, now()) end as "unfinishedUntil"
    from connected_account where id = ${id}`.execute(db)
  const [row] = rows
  if (row?.taken) return { state: 'taken', unfinishedUntil: row.unfinishedUntil }
  return { state: row?.version === version ? 'busy' : 'moved' }
}

/**
 * Stores renewed tokens with the status that follows and releases the lease, unless the account has other credentials by now. Can be repeated. The version does not
 * matter: while this process was suspended, another one may have tried the old refresh token and stored its failure. Credentials that were
 * only sealed with another key have the same tag.
 */
export async function storeRenewed(
  db: Db,
  account: Pick<SealedAccount, 'id' | 'sealedCredentials'>,
  renewed: Pick<Account, 'status' | 'lastError'> & { readonly sealedCredentials: Buffer; readonly renewedAt: Date | null },
): Promise<void> {
  await sql`
    update connected_account set
      sealed_credentials = ${renewed.sealedCredentials}, renewed_at = ${renewed.renewedAt}, version = version + 1, renew_leased_until = null,
      status = ${renewed.status}, last_error = ${renewed.lastError},
      modified_at = case when status = ${renewed.status} then modified_at else now() end
    where id = ${account.id}
      and substring(sealed_credentials from octet_length(sealed_credentials) - 15) = ${sealedTag(account.sealedCredentials)}`.execute(db)
}

/** Releases the renewal lease of an account, unless another holder has taken it. */
export async function releaseRenewal(db: Db, id: number, version: string, holder: string): Promise<void> {
  await sql`
    update connected_account set renew_leased_until = null
    where id = ${id} and version = ${version} and renew_leased_by = ${holder}`.execute(db)
}

/**
 * Stores a failed renewal and releases the lease. The version changes, so that waiting callers see that the renewal has ended. If an earlier
 * lease is still unfinished, its end is kept.
 */
export async function storeFailedRenewal(
  db: Db,
  id: number,
  version: string,
  state: Pick<Account, 'status' | 'lastError'> & { readonly unfinishedUntil: Date | null },
): Promise<void> {
  await sql`
    update connected_account set
      version = version + 1, renew_leased_until = ${state.unfinishedUntil}, status = ${state.status}, last_error = ${state.lastError},
      modified_at = case when status = ${state.status} then modified_at else now() end
    where id = ${id} and version = ${version}`.execute(db)
}

/** Sets the status of an account unless its credentials have changed since it was read. */
export async function setStatus(db: Db, id: number, version: string, state: Pick<Account, 'status' | 'lastError'>): Promise<void> {
  await db
    .updateTable('connected_account')
    .set({ status: state.status, last_error: state.lastError, modified_at: sql<Date>`now()` })
    .where('id', '=', String(id))
    .where('version', '=', version)
    .where('status', '<>', state.status)
    .execute()
}

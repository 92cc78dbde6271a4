import type { Account } from '../db/connected-accounts.ts'

/** A connected account as the wire shows it. */
export function presentAccount({ id, displayName, modifiedAt, status, lastError }: Account) {
  return { id, display_name: displayName, modified_at: modifiedAt.toISOString(), status, last_error: lastError }
}

import { addAuditOrigin } from '@onward/access'
import type { Kysely } from 'kysely'

/** Adds the address and the browser to the entries of the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addAuditOrigin(db)
}

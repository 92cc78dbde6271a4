import { createAuditTable } from '@onward/access'
import type { Kysely } from 'kysely'

/** Adds the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAuditTable(db)
}

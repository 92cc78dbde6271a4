import { type Kysely, sql } from 'kysely'

/** The oid of the table, which shows that the row came from a backup: a restored table has another one. Null for the previous version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reconciliation add column table_oid oid`.execute(db)
  await sql`update reconciliation set table_oid = 'reconciliation'::regclass`.execute(db)
}

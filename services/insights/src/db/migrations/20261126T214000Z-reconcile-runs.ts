import { type Kysely, sql } from 'kysely'

/** The last comparison that somebody started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table reconciliation add column run jsonb`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the OUTGOING_REACH of each process; null for those of the previous version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table process add column reach text`.execute(db)
}

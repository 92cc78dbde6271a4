import { type Kysely, sql } from 'kysely'

/** The traces of task events; null for those without, and for the rows of the previous version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column traces jsonb`.execute(db)
}

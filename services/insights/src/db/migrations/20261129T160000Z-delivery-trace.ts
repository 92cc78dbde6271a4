import { type Kysely, sql } from 'kysely'

/** The trace of the task that reached the level; null for other deliveries, and for those of the previous version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table delivery add column trace text`.execute(db)
}

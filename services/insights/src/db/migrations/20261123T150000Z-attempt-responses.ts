import { type Kysely, sql } from 'kysely'

/** The beginning of what the receiver answered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table delivery_attempt add column response text`.execute(db)
}

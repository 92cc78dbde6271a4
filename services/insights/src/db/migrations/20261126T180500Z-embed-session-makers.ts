import { type Kysely, sql } from 'kysely'

/** Adds the person who made a session at the console, with whose rights it ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table embed_session add column person_id uuid`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the API key that made a session of an embedded page, with which the session ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table embed_session add column if not exists key_id uuid`.execute(db)
}

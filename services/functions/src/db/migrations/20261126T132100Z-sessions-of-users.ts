import { type Kysely, sql } from 'kysely'

/** Indexes that find the connect sessions and links of a user, so that only the newest ones are kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists connect_session_user`.execute(db)
  await sql`create index concurrently connect_session_user on connect_session (app_key, user_id, expires_at)`.execute(db)
  await sql`drop index concurrently if exists connect_link_user`.execute(db)
  await sql`create index concurrently connect_link_user on connect_link (app_key, user_id, expires_at)`.execute(db)
}

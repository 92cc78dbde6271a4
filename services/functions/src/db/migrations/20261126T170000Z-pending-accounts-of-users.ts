import { type Kysely, sql } from 'kysely'

/** An index that finds the pending accounts of a user, so that only the newest ones are kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists pending_account_user`.execute(db)
  await sql`create index concurrently pending_account_user on pending_account (app_key, user_id, app, id)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Without a value, the scopes of the app file apply. The previous version always requests those. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table oauth_client add column scopes text[]`.execute(db)
}

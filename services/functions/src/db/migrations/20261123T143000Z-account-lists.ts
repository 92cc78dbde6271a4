import { type Kysely, sql } from 'kysely'

/** Indexes that find the accounts that need a person, and the pages of an application's accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists connected_account_broken`.execute(db)
  await sql`
    create index concurrently connected_account_broken on connected_account (app_key, app, status)
    where status <> 'active'`.execute(db)
  await sql`drop index concurrently if exists connected_account_page`.execute(db)
  await sql`create index concurrently connected_account_page on connected_account (app_key, id)`.execute(db)
}

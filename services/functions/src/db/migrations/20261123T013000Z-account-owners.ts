import { type Kysely, sql } from 'kysely'

/** An index that finds the accounts of an application with the same owner at the app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists connected_account_owner`.execute(db)
  await sql`
    create index concurrently connected_account_owner on connected_account (app_key, app, external_id)
    where external_id is not null`.execute(db)
}

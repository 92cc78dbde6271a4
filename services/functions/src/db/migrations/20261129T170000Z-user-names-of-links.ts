import { type Kysely, sql } from 'kysely'

/** What the pages of a link call the user. Without a name, they show the User-ID. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connect_link add column user_name text`.execute(db)
}

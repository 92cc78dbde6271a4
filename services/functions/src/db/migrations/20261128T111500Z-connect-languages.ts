import { type Kysely, sql } from 'kysely'

/** The language that the application chose for the pages of a link or a session. Without one, the browser's language applies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connect_link add column language text`.execute(db)
  await sql`alter table connect_session add column language text`.execute(db)
}

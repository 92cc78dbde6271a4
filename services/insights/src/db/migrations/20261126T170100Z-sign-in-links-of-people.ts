import { type Kysely, sql } from 'kysely'

/** An index that finds the sign-in links of a person, so that only some of them are kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists sign_in_link_person`.execute(db)
  await sql`create index concurrently sign_in_link_person on sign_in_link (person_id, expires_at)`.execute(db)
}

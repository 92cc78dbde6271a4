import { type Kysely, sql } from 'kysely'

/** Adds the person who made a link at the console, and the version of the person's rights then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connect_link add column if not exists person_id text, add column if not exists rights_version bigint`.execute(db)
  await sql`drop index concurrently if exists connect_link_person`.execute(db)
  await sql`create index concurrently connect_link_person on connect_link (person_id) where person_id is not null`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the version of each person's rights, which rises when some of them end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table person add column rights_version bigint not null default 0`.execute(db)
}

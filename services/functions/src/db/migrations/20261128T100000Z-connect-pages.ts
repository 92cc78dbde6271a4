import { type Kysely, sql } from 'kysely'

/** How the pages look and work on which the users of an application connect accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column connect_pages jsonb not null default '{}'`.execute(db)
}

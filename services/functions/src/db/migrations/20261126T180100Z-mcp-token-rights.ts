import { type Kysely, sql } from 'kysely'

/** Adds the version of the rights of the person who made a token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mcp_token add column rights_version bigint`.execute(db)
}

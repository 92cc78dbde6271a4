import { type Kysely, sql } from 'kysely'

/** An index that finds the MCP tokens of a person whose rights change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists mcp_token_person`.execute(db)
  await sql`create index concurrently mcp_token_person on mcp_token (person_id) where person_id is not null`.execute(db)
}

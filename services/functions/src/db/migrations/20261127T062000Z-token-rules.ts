import { type Kysely, sql } from 'kysely'

/** The rules of MCP tokens, which allow less than the rules of their application. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mcp_token add column rules jsonb not null default '[]'`.execute(db)
  await sql`alter table mcp_authorization add column rules jsonb not null default '[]'`.execute(db)
}

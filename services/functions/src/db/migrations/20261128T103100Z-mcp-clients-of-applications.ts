import { type Kysely, sql } from 'kysely'

/** Finds the clients of an application. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists mcp_client_application`.execute(db)
  await sql`create index concurrently mcp_client_application on mcp_client (app_key) where app_key is not null`.execute(db)
}

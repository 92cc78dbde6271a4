import { type Kysely, sql } from 'kysely'

/** The MCP token with which each call was made; null for other calls, and for the calls of the previous version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table call_attempt add column token_id uuid`.execute(db)
  await sql`alter table call_log add column token_id uuid`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** The MCP tokens whose calls ask for an approval. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table approval add column token_id uuid`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/**
 * What made each MCP token: the SHA-256 of the application secret, or a person with a role in the workspace. Existing tokens, and tokens
 * that the previous version makes, have neither.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mcp_token
      add column secret_digest bytea,
      add column person_id text,
      add column person_role text check (person_role in ('developer', 'owner'))`.execute(db)
}

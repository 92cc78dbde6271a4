import { type Kysely, sql } from 'kysely'

/** The OpenID providers with which users of applications sign in to give MCP clients access. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mcp_sign_in_setting
      add column openid_issuer text,
      add column openid_client_id text,
      add column openid_claim text,
      add column sealed_openid_secret bytea`.execute(db)
}

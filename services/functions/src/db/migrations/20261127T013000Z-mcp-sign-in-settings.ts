import { type Kysely, sql } from 'kysely'

/** How the users of an application sign in to give MCP clients access, besides links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mcp_sign_in_setting (
      app_key text primary key references application on delete cascade,
      hand_off_url text
    )`.execute(db)
}

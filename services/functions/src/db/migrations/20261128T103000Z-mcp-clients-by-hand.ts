import { type Kysely, sql } from 'kysely'

/** OAuth clients that were made by hand for an application. They expire at `infinity`, so that earlier versions serve them too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mcp_client
      add column app_key text,
      add column auth_method text,
      add column created_at timestamptz`.execute(db)
}

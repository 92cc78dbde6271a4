import { type Kysely, sql } from 'kysely'

/** What may be shown of an API key: its prefix and last four characters. Null for keys of the previous version, which are not stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspace_key add column masked text`.execute(db)
}

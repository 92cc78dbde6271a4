import { type Kysely, sql } from 'kysely'

/** The id of the request that made each call; null for the calls of the previous version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table call_attempt add column request_id text`.execute(db)
  await sql`alter table call_log add column request_id text`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Finds the approvals that wait for a decision. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists approval_pending`.execute(db)
  await sql`create index concurrently approval_pending on approval (app_key) where result is null`.execute(db)
}

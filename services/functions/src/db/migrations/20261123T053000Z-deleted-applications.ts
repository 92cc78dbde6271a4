import { type Kysely, sql } from 'kysely'

/** The row of a deleted application stays, so that its App-Key is not used again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column deleted_at timestamptz`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** The rows stay: task events of a deleted application can arrive late, and its workspace counts them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column deleted_at timestamptz`.execute(db)
  await sql`alter table workspace add column deleted_at timestamptz`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table connected_account add column renew_leased_by uuid`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspace add column rate_limit integer not null default 6000`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column policy jsonb not null default '[]'`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription add column listener_until timestamptz`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** When each past prompt was first stored; `called_at` moves with each call. Those that exist count as new. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_prompt add column created_at timestamptz not null default now()`.execute(db)
}

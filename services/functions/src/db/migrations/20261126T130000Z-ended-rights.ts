import { type Kysely, sql } from 'kysely'

/** Sessions of the console that ended, and people whose rights changed, while access tokens that were signed before may be valid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table ended_right (
    holder_id text primary key,
    ended_at timestamptz not null,
    stored_at timestamptz not null default now()
  )`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** The running processes with their OUTGOING_REACH. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table process (id uuid primary key, beat_at timestamptz not null default now(), reach text not null)`.execute(db)
}

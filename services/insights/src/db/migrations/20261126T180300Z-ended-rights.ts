import { type Kysely, sql } from 'kysely'

/** Messages about ended sessions and rights that functions has not stored yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table ended_right (
    id uuid primary key default gen_random_uuid(),
    message jsonb not null,
    publish_at timestamptz not null default now()
  )`.execute(db)
  await sql`create index ended_right_publish_at on ended_right (publish_at)`.execute(db)
}

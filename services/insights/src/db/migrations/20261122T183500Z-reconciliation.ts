import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row that all processes share.
  await sql`
    create table reconciliation (
      compared_until timestamptz not null default now(),
      differing jsonb not null default '[]',
      server_started_at timestamptz not null default pg_postmaster_start_time()
    )`.execute(db)
  await sql`insert into reconciliation default values`.execute(db)
  await sql`
    create table dropped_event (
      event_id uuid primary key,
      occurred_at timestamptz not null,
      dropped_at timestamptz not null default now()
    )`.execute(db)
}

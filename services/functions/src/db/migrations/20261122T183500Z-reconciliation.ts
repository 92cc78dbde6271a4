import { type Kysely, sql } from 'kysely'

/** One row that all processes share. The first comparison waits a few minutes, so that a new version of insights can start, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reconciliation (
      compare_at timestamptz not null default now() + interval '5 minutes',
      reach timestamptz not null default '-infinity',
      resent timestamptz[] not null default '{}',
      server_started_at timestamptz not null default pg_postmaster_start_time()
    )`.execute(db)
  await sql`insert into reconciliation default values`.execute(db)
}

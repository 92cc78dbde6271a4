import { type Kysely, sql } from 'kysely'

/**
 * `since` is null if the deliveries were given one by one. `after_…` is the last delivery that was handled. `finished_at` is also the time
 * of an abort.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table replay (
      id uuid primary key,
      workspace_id text collate "C" not null references workspace,
      created_by text not null,
      subscription_id uuid,
      since timestamptz,
      until timestamptz not null,
      deliveries int not null,
      replayed int not null default 0,
      skipped int not null default 0,
      after_subscription uuid not null default '00000000-0000-0000-0000-000000000000',
      after_failed_at timestamptz not null default '-infinity',
      after_delivery uuid not null default '00000000-0000-0000-0000-000000000000',
      last_page_at timestamptz not null default now(),
      finished_at timestamptz,
      aborted boolean not null default false,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index replay_workspace on replay (workspace_id, id)`.execute(db)
  await sql`create unique index replay_running on replay (workspace_id) where finished_at is null`.execute(db)
}

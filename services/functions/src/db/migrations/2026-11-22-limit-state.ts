import { type Kysely, type Migration, sql } from 'kysely'

export const limitState: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table limit_state (
      app_key text not null,
      user_id text not null,
      seq bigint not null,
      blocked_until timestamptz,
      confirmed_at timestamptz not null default now(),
      written_by xid8 not null default pg_current_xact_id(),
      primary key (app_key, user_id)
    )`.execute(db)
  await sql`create index on limit_state (written_by)`.execute(db)
}

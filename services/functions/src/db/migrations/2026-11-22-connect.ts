import { type Kysely, type Migration, sql } from 'kysely'

export const connect: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table application
      add column allowed_origins text[] not null default '{}',
      add column allowed_redirects text[] not null default '{}'`.execute(db)

  // Whose account it is, as the app itself says: connecting it again renews it.
  await sql`alter table connected_account add column external_id text`.execute(db)
  await sql`
    create unique index on connected_account (app_key, user_id, app, external_id) where external_id is not null`.execute(db)

  await sql`
    create table connect_session (
      id uuid primary key default gen_random_uuid(),
      token_hash bytea not null unique,
      browser_hash bytea not null,
      app_key text not null references application,
      user_id text not null,
      app text not null,
      scheme text not null,
      link_expires_at timestamptz not null,
      redirect_uri text,
      sealed_progress bytea,
      state_hash bytea unique,
      state_taken boolean not null default false,
      used boolean not null default false,
      expires_at timestamptz not null default now() + interval '15 minutes'
    )`.execute(db)
  await sql`create index on connect_session (expires_at)`.execute(db)
}

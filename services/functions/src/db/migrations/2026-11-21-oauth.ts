import { type Kysely, type Migration, sql } from 'kysely'

export const oauth: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table connected_account
      add column version bigint not null default 1,
      add column renew_leased_until timestamptz,
      add column renewed_at timestamptz,
      add column last_error text`.execute(db)

  await sql`
    create table oauth_client (
      app_key text not null references application,
      app text not null,
      client_id text not null,
      sealed_client_secret bytea not null,
      modified_at timestamptz not null default now(),
      primary key (app_key, app)
    )`.execute(db)
}

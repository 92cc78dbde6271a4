import { type Kysely, sql } from 'kysely'

/** What users choose for their accounts, and the links that open a page for one browser. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table connected_account
      add column preferred_at timestamptz,
      add column renamed boolean not null default false`.execute(db)
  await sql`
    create table connect_link (
      token_hash bytea primary key,
      app_key text not null references application,
      user_id text not null,
      app text,
      manage boolean not null,
      redirect_uri text,
      browser_hash bytea,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index on connect_link (expires_at)`.execute(db)
}

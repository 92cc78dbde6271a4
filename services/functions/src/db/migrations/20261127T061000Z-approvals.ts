import { type Kysely, sql } from 'kysely'

/** The approvals of calls, and the sign-in of a user who opens the page of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table approval (
      id uuid primary key,
      app_key text not null references application on delete cascade,
      user_id text not null,
      app text not null,
      function_name text not null,
      account_id bigint,
      call_digest bytea not null,
      sealed_request bytea not null,
      via text,
      message text,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      result text check (result in ('approved', 'refused')),
      reason text,
      decided_at timestamptz,
      decided_by text check (decided_by in ('user', 'application', 'member')),
      call_id uuid
    )`.execute(db)
  await sql`create index on approval (app_key, user_id, call_digest)`.execute(db)
  await sql`create index on approval (app_key, id)`.execute(db)
  await sql`create index on approval (expires_at)`.execute(db)
  await sql`create index on approval (call_id) where call_id is not null`.execute(db)
  await sql`alter table mcp_authorization add column approval_id uuid`.execute(db)
}

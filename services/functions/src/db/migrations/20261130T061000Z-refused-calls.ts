import { type Kysely, sql } from 'kysely'

/** Calls that were refused before a call attempt. Ids are UUIDv7, so the primary key finds the oldest rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refused_call (
      call_id uuid primary key,
      app_key text not null,
      user_id text not null,
      function_name text not null,
      app text,
      via text,
      request_id text not null,
      token_id uuid,
      occurred_at timestamptz not null,
      status int not null,
      code text not null,
      message text not null,
      details text not null,
      approval_id uuid,
      unstored int not null
    )`.execute(db)
  await sql`create index on refused_call (app_key, user_id, call_id)`.execute(db)
}

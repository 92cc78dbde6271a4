import { type Kysely, type Migration, sql } from 'kysely'

export const idempotency: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotency_record (
      app_key text not null,
      user_id text not null,
      function_name text not null,
      key text not null,
      request_hash bytea not null,
      call_id uuid not null,
      process_id uuid not null,
      begun_at timestamptz,
      status int,
      sealed_answer bytea,
      created_at timestamptz not null default now(),
      primary key (app_key, user_id, function_name, key)
    )`.execute(db)
  await sql`create index on idempotency_record (created_at)`.execute(db)
}

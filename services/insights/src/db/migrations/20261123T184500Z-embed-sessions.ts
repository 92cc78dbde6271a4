import { type Kysely, sql } from 'kysely'

/** Adds the sessions of embedded pages. Of codes and tokens, only digests are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table embed_session (
      id uuid primary key default gen_random_uuid(),
      app_key text collate "C" not null references application,
      user_id text collate "C" not null,
      views text[] not null,
      parent_origins text[],
      return_url text,
      locale text,
      code_hash bytea,
      code_expires_at timestamptz not null,
      token_hash bytea unique,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db)
  await sql`create index embed_session_user on embed_session (app_key, user_id)`.execute(db)
  await sql`create index embed_session_expired on embed_session (expires_at)`.execute(db)
}

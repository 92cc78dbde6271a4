import { type Kysely, sql } from 'kysely'

/** The tokens of MCP clients, and how each call came in: null for the API, which is also what the previous version writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mcp_token (
      id uuid primary key,
      token_hash bytea not null unique,
      app_key text not null references application on delete cascade,
      user_id text not null,
      name text not null,
      mode text not null check (mode in ('direct', 'search')),
      apps text[],
      functions text[],
      read_only boolean not null,
      output_chars int not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index on mcp_token (app_key, user_id, id)`.execute(db)
  await sql`alter table call_attempt add column via text`.execute(db)
  await sql`alter table call_log add column via text`.execute(db)
}

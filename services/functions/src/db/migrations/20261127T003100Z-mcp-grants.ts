import { type Kysely, sql } from 'kysely'

/** Grants, which are MCP tokens with a client and without a token of their own, and their access and refresh tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mcp_token
      alter column token_hash drop not null,
      add column client_id text,
      add column redirect_host text`.execute(db)
  await sql`
    create table mcp_secret (
      token_hash bytea primary key,
      kind text not null check (kind in ('access', 'refresh')),
      grant_id uuid not null references mcp_token on delete cascade,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index on mcp_secret (grant_id)`.execute(db)
  await sql`create index on mcp_secret (expires_at)`.execute(db)
}

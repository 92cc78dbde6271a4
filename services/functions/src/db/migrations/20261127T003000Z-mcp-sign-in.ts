import { type Kysely, sql } from 'kysely'

/** The sign-in of MCP clients: their registrations, the one-time links of users, and the authorizations in progress. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const maker = sql`
      secret_digest bytea,
      person_id text,
      person_role text check (person_role in ('developer', 'owner')),
      rights_version bigint`
  await sql`
    create table mcp_client (
      id text primary key,
      secret_hash bytea,
      name text not null,
      redirect_uris text[] not null,
      refreshes boolean not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`
    create table mcp_sign_in (
      token_hash bytea primary key,
      app_key text not null references application on delete cascade,
      user_id text not null,
      browser_hash bytea,
      ${maker},
      expires_at timestamptz not null
    )`.execute(db)
  await sql`
    create table mcp_authorization (
      id uuid primary key,
      token_hash bytea not null unique,
      browser_hash bytea not null,
      app_key text not null references application on delete cascade,
      client_id text not null,
      client_name text not null,
      redirect_uri text not null,
      state text,
      challenge text not null,
      read_only boolean not null,
      refreshes boolean not null,
      user_id text,
      ${maker},
      apps text[],
      functions text[],
      grant_days int,
      code_hash bytea unique,
      code_used boolean not null default false,
      grant_id uuid,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index on mcp_sign_in (app_key, user_id)`.execute(db)
  await sql`create index on mcp_sign_in (browser_hash) where browser_hash is not null`.execute(db)
  await sql`create index on mcp_authorization (app_key)`.execute(db)
  for (const table of ['mcp_sign_in', 'mcp_authorization']) {
    await sql`create index on ${sql.table(table)} (person_id) where person_id is not null`.execute(db)
  }
  for (const table of ['mcp_client', 'mcp_sign_in', 'mcp_authorization']) {
    await sql`create index on ${sql.table(table)} (expires_at)`.execute(db)
  }
}

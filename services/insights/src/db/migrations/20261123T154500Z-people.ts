import { type Kysely, sql } from 'kysely'

/** Adds the people who use the console: their memberships, sign-in links and sessions. Of codes and secrets, only digests are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person (
      id uuid primary key default gen_random_uuid(),
      email text not null unique,
      name text not null default '',
      operator boolean not null default false,
      last_seen_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table membership (
      person_id uuid not null references person,
      workspace_id text not null references workspace,
      role text not null check (role in ('viewer', 'developer', 'owner')),
      created_by text not null,
      created_at timestamptz not null default now(),
      primary key (person_id, workspace_id)
    )`.execute(db)
  await sql`create index membership_workspace on membership (workspace_id)`.execute(db)
  await sql`
    create table sign_in_link (
      code_hash bytea primary key,
      person_id uuid not null references person,
      workspace_id text references workspace,
      created_by text not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`
    create table console_session (
      id uuid primary key default gen_random_uuid(),
      secret_hash bytea not null unique,
      person_id uuid not null references person,
      kind text not null check (kind in ('browser', 'token')),
      name text not null,
      workspace_id text references workspace,
      role text check (role in ('viewer', 'developer', 'owner', 'operator')),
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index console_session_person on console_session (person_id)`.execute(db)
}

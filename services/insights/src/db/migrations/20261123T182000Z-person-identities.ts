import { type Kysely, sql } from 'kysely'

/** Adds the accounts at an OpenID provider with which people sign in, and how each session began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person_identity (
      issuer text not null,
      subject text not null,
      person_id uuid not null references person,
      created_at timestamptz not null default now(),
      primary key (issuer, subject),
      unique (person_id, issuer)
    )`.execute(db)
  // The previous version knows no other method, and does not set the column.
  await sql`
    alter table console_session
      add column method text not null default 'link' check (method in ('link', 'oidc'))`.execute(db)
}

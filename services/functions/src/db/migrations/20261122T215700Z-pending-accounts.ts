import { type Kysely, sql } from 'kysely'

/**
 * Accounts that the application must confirm have a separate table. The previous version does not read it, so it cannot use such an
 * account. But it stores the accounts that it connects itself without confirmation, so require confirmation only after the upgrade.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column confirm_accounts boolean not null default false`.execute(db)
  await sql`
    create table pending_account (
      id bigint primary key,
      app_key text not null references application,
      user_id text not null,
      app text not null,
      display_name text not null,
      sealed_credentials bytea,
      external_id text,
      renewed_at timestamptz,
      confirmation_hash bytea not null,
      account_id bigint,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index on pending_account (created_at)`.execute(db)
}

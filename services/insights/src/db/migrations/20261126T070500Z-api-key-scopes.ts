import { type Kysely, sql } from 'kysely'

/**
 * Adds names, scopes and last use of API keys. Keys without scopes, such as keys made by the previous version, have all scopes. A workspace
 * has few keys, so the table is small.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspace_key
      add column id uuid not null default gen_random_uuid(),
      add column name text not null default 'Default',
      add column scopes text[],
      add column last_used_at timestamptz,
      add column replaced_by uuid`.execute(db)
  await sql`
    update workspace_key previous set replaced_by = current.id from workspace_key current
    where current.workspace_id = previous.workspace_id and current.expires_at is null and previous.expires_at is not null`.execute(db)
  await sql`create unique index workspace_key_id on workspace_key (id)`.execute(db)
}

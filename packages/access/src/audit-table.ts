import { type QueryExecutorProvider, sql } from 'kysely'

/** Creates the table of the audit log, in a migration. Each service has one in its own database. */
export async function createAuditTable(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table audit_entry (
      id uuid primary key,
      at timestamptz not null default now(),
      actor_kind text not null,
      actor_id text not null,
      actor_name text not null,
      workspace_id text,
      action text not null,
      target jsonb not null,
      request_id text not null,
      outcome text not null,
      code text,
      before jsonb,
      after jsonb
    )`.execute(db)
  await sql`create index audit_entry_workspace on audit_entry (workspace_id, id)`.execute(db)
}

/** Adds where requests came from to the table, in a migration. */
export async function addAuditOrigin(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table audit_entry add column if not exists address text, add column if not exists user_agent text`.execute(db)
}

/**
 * Adds the key of reads to the table, in a migration without a transaction. Of several reads with the same key, only the first is stored.
 */
export async function addAuditReads(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table audit_entry add column if not exists read_key bytea`.execute(db)
  await sql`drop index concurrently if exists audit_entry_read`.execute(db)
  await sql`create unique index concurrently audit_entry_read on audit_entry (read_key) where read_key is not null`.execute(db)
}

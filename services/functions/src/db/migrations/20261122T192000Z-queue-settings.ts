import { type Kysely, sql } from 'kysely'

/**
 * Settings of tables whose rows live briefly. By default, autovacuum waits until a fifth of a table has changed, and pauses while it works.
 * Meanwhile each query reads the index entries of deleted rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // With free space in each page, a lease adds no index entries: the scan for free rows reads a quarter of the dead ones.
  await sql`
    alter table outbox set (
      fillfactor = 50,
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
      toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000, toast.autovacuum_vacuum_cost_delay = 0
    )`.execute(db)
  await sql`
    alter table call_attempt set (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
    )`.execute(db)
  // These hold a day of records, and one row for each blocked user, so their threshold grows with them.
  await sql`alter table idempotency_record set (autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  await sql`alter table blocking set (autovacuum_vacuum_scale_factor = 0.05)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/**
 * Settings of tables whose rows change often. By default, autovacuum waits until a fifth of a table has changed: of all deliveries of 90
 * days, or of all blocked users, each of whom is updated every two minutes. Meanwhile queries for due rows read the index entries of old
 * versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table delivery set (autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  await sql`alter table blocking set (autovacuum_vacuum_scale_factor = 0.05)`.execute(db)
}

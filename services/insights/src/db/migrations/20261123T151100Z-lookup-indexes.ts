import { type Kysely, sql } from 'kysely'

/** Runs without a transaction: an index is created without blocking writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The deliveries that failed in a span of time, in order, for replays.
  await createIndex(db, 'delivery_failed_at', 'delivery (subscription_id, failed_at, id) where failed_at is not null')
  // The reason why one task was not counted.
  await createIndex(db, 'quarantine_event', 'quarantine (event_id) where event_id is not null')
}

/** Can be repeated: an attempt that failed leaves an invalid index behind. */
async function createIndex(db: Kysely<unknown>, name: string, on: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.table(name)}`.execute(db)
  await sql`create index concurrently ${sql.table(name)} on ${sql.raw(on)}`.execute(db)
}

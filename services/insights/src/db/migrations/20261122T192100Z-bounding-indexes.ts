import { type Kysely, sql } from 'kysely'

/** Runs without a transaction: an index is created without blocking writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A change of a limit period looks for the periods that begin after it. Without the index, it reads all periods of the application.
  await createIndex(db, 'usage_period_start', 'usage_period (app_key, starts_at)')
  // The list of pending deliveries. Without the index, each page sorts all of them.
  await createIndex(db, 'delivery_pending', 'delivery (subscription_id, id) where delivered_at is null and failed_at is null')
  // For the metric that counts disabled subscriptions.
  await createIndex(db, 'subscription_disabled', 'subscription (id) where disabled_at is not null')
}

/** Can be repeated: an attempt that failed leaves an invalid index behind. */
async function createIndex(db: Kysely<unknown>, name: string, on: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.table(name)}`.execute(db)
  await sql`create index concurrently ${sql.table(name)} on ${sql.raw(on)}`.execute(db)
}

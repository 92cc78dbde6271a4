import { type Kysely, type Migration, sql } from 'kysely'

export const outboxOrder: Migration = { up }

/** Rows leave in the order in which they came. Those of before have no number of tasks, and are not merged. */
async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column tasks int`.execute(db)
  await sql`create index outbox_order on outbox (created_at, id)`.execute(db)
  await sql`drop index outbox_leased_until_idx`.execute(db)
}

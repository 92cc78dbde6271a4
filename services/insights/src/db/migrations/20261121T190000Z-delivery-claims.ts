import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'alter table delivery add column failed_reason text, drop column requeued_at',
  // Room for a claim beside what is claimed: then it touches no index.
  'alter table delivery set (fillfactor = 70)',
  // Attempts are inserted for the rows that the same statement updates.
  'alter table delivery_attempt drop constraint delivery_attempt_delivery_id_fkey',
  // What a subscription is to be sent next, in order. Deliveries are looked for by subscription only, so that none stands behind another's.
  `create index delivery_next on delivery (subscription_id, next_attempt_at)
    where delivered_at is null and failed_at is null`,
  'drop index delivery_due, delivery_pending',
]

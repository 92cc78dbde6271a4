import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table subscription
    add column previous_sealed_secret bytea,
    add column previous_valid_until timestamptz,
    add column secret_rotated_at timestamptz`,
  // A test has no application, and is never the same as another: nulls are distinct in the unique key.
  'alter table delivery alter column app_key drop not null, add column schedule_start int not null default 0',
  'create index delivery_subscription on delivery (subscription_id, id)',
  'create index delivery_failed on delivery (subscription_id, id) where failed_at is not null',
]

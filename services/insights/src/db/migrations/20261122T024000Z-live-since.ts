import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'alter table subscription add column live_since timestamptz',
  'update subscription set live_since = created_at',
  // Not when its transaction began to wait for the partner's lock.
  'alter table subscription alter column live_since set not null, alter column live_since set default clock_timestamp()',
]

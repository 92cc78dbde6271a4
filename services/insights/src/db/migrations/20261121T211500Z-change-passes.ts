import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // A pass that is under way has no `pass_seq`: it begins anew, with all changes of its partner.
  'alter table reevaluation add column pass_seq bigint, add column turn_at timestamptz not null default now()',
]

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Those that are there were there before all changes that are on their way.
  await sql.raw('alter table subscription add column live_after bigint not null default 0').execute(db)
}

import { type Kysely, type Migration, sql } from 'kysely'

export const internalCalls: Migration = { up }

/** Calls that the service makes of itself, to find the id of what a prompt names, are logged, but are no tasks. */
async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table call_log add column internal boolean not null default false`.execute(db)
}

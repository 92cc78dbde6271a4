import { type Kysely, sql } from 'kysely'

/** Counts the users that a workspace creates on a day by setting their limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspace add column new_users integer not null default 0, add column new_users_on date`.execute(db)
}

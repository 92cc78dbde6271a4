import { type Kysely, sql } from 'kysely'

/** Whether prompts that several users of an application have in common count for all its users. Off until an application turns it on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column share_learning boolean not null default false`.execute(db)
}

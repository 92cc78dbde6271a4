import { type Kysely, sql } from 'kysely'

/** Adds which version of a person's rights has ended: clocks cannot compare these. Only the previous version sets `ended_at`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ended_right alter column ended_at drop not null, add column version bigint not null default 0`.execute(db)
}

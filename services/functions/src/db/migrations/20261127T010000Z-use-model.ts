import { type Kysely, sql } from 'kysely'

/** Whether predictions of an application may use the model server. On until an application turns it off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column use_model boolean not null default true`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table application add column embed_origins text[] not null default '{}'`.execute(db)
}

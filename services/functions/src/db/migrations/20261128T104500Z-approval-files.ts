import { type Kysely, sql } from 'kysely'

/** The contents of the files of calls that ask for an approval. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table approval add column files_digest bytea`.execute(db)
}

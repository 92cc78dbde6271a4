import { type Kysely, sql } from 'kysely'

/** What people may type for the functions of imported apps, as a model wrote it, by the hash of a function's text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table function_phrasing (
      text_hash text primary key,
      claimed_at timestamptz not null default now(),
      phrasings text[],
      written_at timestamptz
    )`.execute(db)
  await sql`create index on function_phrasing (written_at)`.execute(db)
}

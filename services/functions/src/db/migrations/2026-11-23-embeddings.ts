import { type Kysely, type Migration, sql } from 'kysely'

export const embeddings: Migration = { up }

/** `real[]` needs no extension, and pgvector takes it as it is. */
async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table function_embedding (
      model text not null,
      text_hash text not null,
      vector real[] not null,
      used_at timestamptz not null default now(),
      primary key (model, text_hash)
    )`.execute(db)
}

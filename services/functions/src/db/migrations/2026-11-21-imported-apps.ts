import { type Kysely, type Migration, sql } from 'kysely'

export const importedApps: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imported_app (
      name text primary key,
      version text not null,
      file text not null,
      modified_at timestamptz not null default now()
    )`.execute(db)
}

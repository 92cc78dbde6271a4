import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table application
      add column client_profile text not null default 'standard' check (client_profile in ('standard', 'published'))`.execute(db)
}

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table application
      add column rate_limit integer not null default 60000,
      add column user_rate_limit integer not null default 1200,
      add column predict_rate_limit integer not null default 6000,
      add column user_predict_rate_limit integer not null default 120`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the bytes of the bodies of calls that each application stores on each day in UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table body_quota (
      app_key text not null,
      day date not null,
      bytes bigint not null,
      primary key (app_key, day)
    ) with (fillfactor = 70)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds the bytes of stored responses of each user and application on each day in UTC. The row of an application has an empty `user_id`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table answer_quota (
      app_key text not null,
      user_id text not null,
      day date not null,
      bytes bigint not null,
      primary key (app_key, user_id, day)
    ) with (fillfactor = 70)`.execute(db)
  await sql`create index on answer_quota (day)`.execute(db)
}

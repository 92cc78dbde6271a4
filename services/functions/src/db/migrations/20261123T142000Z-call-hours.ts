import { type Kysely, sql } from 'kysely'

/** The calls of each finished hour, and when each hour was counted. The rows outlive their applications, as the calls log does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table call_hour (
      hour timestamptz not null,
      app_key text not null,
      app text not null,
      function_name text not null,
      outcome text not null,
      network_code int,
      calls int not null,
      durations int[] not null,
      last_call_id uuid not null
    )`.execute(db)
  await sql`create index call_hour_of_application on call_hour (app_key, hour)`.execute(db)
  await sql`create index call_hour_age on call_hour (hour)`.execute(db)
  await sql`create table counted_hour (hour timestamptz primary key, counted_at timestamptz not null default now())`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** The ids of events about users that functions has sent. An event that arrives again causes no more webhooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table received_event (event_id uuid primary key, received_at timestamptz not null default now())`.execute(db)
  await sql`create index received_event_age on received_event (received_at)`.execute(db)
}

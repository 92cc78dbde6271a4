import { type Kysely, sql } from 'kysely'

/** Events that are added up in one statement: seconds, however many there are. */
const PAGE = 200_000

export async function up(db: Kysely<unknown>): Promise<void> {
  // A row changes all day long and then never again: a little room in its page is enough for changes without a new index entry.
  await sql`
    create table usage_day (
      app_key text collate "C" not null,
      user_id text collate "C" not null,
      day date not null,
      consumed bigint not null,
      primary key (app_key, user_id, day)
    ) with (fillfactor = 90)`.execute(db)
  let after: string | null = '00000000-0000-0000-0000-000000000000'
  while (after !== null) after = await addPage(db, after)
}

/** Adds up the events that are there already, in pages by id. Gives the last id of the page, null after the last page. */
async function addPage(db: Kysely<unknown>, after: string): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    with page as materialized (
      select id, app_key, user_id, (occurred_at at time zone 'UTC')::date as day
      from task_event where id > ${after} order by id limit ${PAGE}
    ),
    added as (
      insert into usage_day as d (app_key, user_id, day, consumed)
      select app_key, user_id, day, count(*) from page group by app_key, user_id, day
      on conflict (app_key, user_id, day) do update set consumed = d.consumed + excluded.consumed
    )
    select id as last from page order by id desc limit 1`.execute(db)
  return rows[0]?.last ?? null
}

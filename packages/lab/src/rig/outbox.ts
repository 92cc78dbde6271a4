import { queryPostgres } from './postgres-server.ts'
import { APP_KEY } from './workspace.ts'

const PER_ROW = 500
const PAGE = 250_000

/**
 * Writes calls of these users, made in the last day, into the calls log and their events into the outbox, 500 in a row, as functions does.
 * They appear all at once, or in steps of 250,000.
 */
export async function fillOutbox(functionsDb: string, userIds: readonly string[], tasks: number): Promise<void> {
  for (let done = 0; done < tasks; done += PAGE) {
    await queryPostgres(
      functionsDb,
      `with made as materialized (
        select n, now() - interval '1 day' + n * interval '1 day' / $3 as occurred_at, ($2::text[])[1 + n % $4] as user_id
        from generate_series($5::int, $6::int) n
      ), called as materialized (
        select n, user_id, date_trunc('milliseconds', occurred_at) as occurred_at,
          (lpad(to_hex((extract(epoch from occurred_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
            || '8' || substr(md5(random()::text), 1, 15))::uuid as id
        from made
      ), logged as (
        insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
        select id, $1, user_id, 'addressbook-get-contact', '1', 'addressbook', 'answered', occurred_at from called
      )
      insert into outbox (events, tasks)
      select jsonb_agg(jsonb_build_object('id', id, 'app_key', $1::text, 'user_id', user_id, 'function_name', 'addressbook-get-contact',
        'occurred_at', to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), count(*)
      from called group by n / ${PER_ROW}`,
      [APP_KEY, userIds, tasks, userIds.length, done, Math.min(done + PAGE, tasks) - 1],
    )
  }
}

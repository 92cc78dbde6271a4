import { queryPostgres } from '../rig/postgres-server.ts'
import { APP_KEY } from '../rig/workspace.ts'

/**
 * Inserts users with SQL, each in the second of two periods of 30 days. The usage is at most 1.1 times the limit of 1 000, and always the
 * same for the same number.
 */
export async function insertUsers(insightsDb: string, count: number): Promise<void> {
  await queryPostgres(
    insightsDb,
    `insert into usage_user (app_key, user_id, task_limit, limit_seq, anchor)
     select $1, 'user-' || lpad(i::text, 7, '0') || '@example.com', 1000, 0, date_trunc('day', now()) - interval '40 days'
     from generate_series(1, $2::int) i`,
    [APP_KEY, count],
  )
  await queryPostgres(
    insightsDb,
    `insert into usage_period (app_key, user_id, starts_at, ends_at, consumed, level)
     select app_key, user_id, anchor + w * interval '30 days', anchor + (w + 1) * interval '30 days', consumed, least(100, consumed / 10)
     from usage_user, generate_series(0, 1) w, lateral (select 1 + abs(hashtext(user_id || w)) % 1100 as consumed) made`,
  )
  await queryPostgres(insightsDb, 'vacuum analyze')
}

export function userId(number: number): string {
  return `user-${String(number).padStart(7, '0')}@example.com`
}

import { sql } from 'kysely'
import { type Period, type PeriodRow, periodOf } from './periods.ts'
import type { Db } from './tables.ts'
import { keyRows, type UserKey } from './users.ts'

/**
 * The windows of users that were current at a time, or lay ahead: tasks of a clock that is ahead of ours may be in them. Windows without
 * a task are not there.
 */
export async function readPeriodsSince(db: Db, keys: readonly UserKey[], at: Date): Promise<Period[]> {
  const { rows } = await sql<PeriodRow>`
    select p.* from usage_user u
    join ${keyRows(keys)} using (app_key, user_id)
    join usage_period p using (app_key, user_id)
    where p.ends_at > greatest(${at}::timestamptz, u.anchor)`.execute(db)
  return rows.map(periodOf)
}

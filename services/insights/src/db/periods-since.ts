import { sql } from 'kysely'
import type { Period } from './periods.ts'
import type { Db } from './tables.ts'
import { keyRows, type UserKey } from './users.ts'

type Row = { app_key: string; user_id: string; starts_at: Date; ends_at: Date; consumed: string; level: number; arm_seq: number }

/**
 * The windows of users that were current at a time, or lay ahead: tasks of a clock that is ahead of ours may be in them. Windows without
 * a task are not there.
 */
export async function readPeriodsSince(db: Db, keys: readonly UserKey[], at: Date): Promise<Period[]> {
  const { rows } = await sql<Row>`
    select p.* from usage_user u
    join ${keyRows(keys)} using (app_key, user_id)
    join usage_period p using (app_key, user_id)
    where p.ends_at > greatest(${at}::timestamptz, u.anchor)`.execute(db)
  return rows.map((row) => ({
    appKey: row.app_key,
    userId: row.user_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    consumed: Number(row.consumed),
    level: row.level,
    armSeq: row.arm_seq,
  }))
}

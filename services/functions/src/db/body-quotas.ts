import { sql } from 'kysely'
import type { Db } from './tables.ts'

/**
 * Adds bytes to the total of call bodies that an application stores today (UTC). Returns false, and adds nothing, if the total would exceed
 * `max`.
 */
export async function reserveBodyBytes(db: Db, appKey: string, bytes: number, max: number): Promise<boolean> {
  const { rows } = await sql`
    insert into body_quota as q (app_key, day, bytes)
    values (${appKey}, (now() at time zone 'utc')::date, ${bytes})
    on conflict (app_key, day) do update set bytes = q.bytes + excluded.bytes where q.bytes + excluded.bytes <= ${max}
    returning app_key`.execute(db)
  return rows.length > 0
}

/** Deletes up to `max` quotas of days before yesterday. */
export async function deleteOldBodyQuotas(db: Db, max: number): Promise<void> {
  await sql`
    delete from body_quota where ctid = any(array(
      select ctid from body_quota where day < (now() at time zone 'utc')::date - 1 limit ${max}))`.execute(db)
}

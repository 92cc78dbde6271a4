import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Stores the ids of events. Returns those that were not stored before. */
export async function insertReceived(tx: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ event_id: string }>`
    insert into received_event (event_id) select distinct unnest(${ids}::uuid[]) order by 1 on conflict do nothing returning event_id`.execute(
    tx,
  )
  return new Set(rows.map((row) => row.event_id))
}

/** Deletes up to `max` ids that were stored before a time. Returns their number. */
export async function deleteOldReceived(db: Db, before: Date, max: number): Promise<number> {
  const { rows } = await sql`
    delete from received_event where event_id in (
      select event_id from received_event where received_at < ${before} order by received_at limit ${max} for update skip locked
    ) returning event_id`.execute(db)
  return rows.length
}

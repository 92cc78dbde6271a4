import { firstUuidAt } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Deletes up to `most` deliveries that were made before a time and came to an end, with their attempts. Gives their number. */
export async function deleteOldDeliveries(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select id from delivery
      where id < ${firstUuidAt(before)}::uuid and (delivered_at is not null or failed_at is not null)
        and coalesce(delivered_at, failed_at) < ${before}
      order by id limit ${most} for update skip locked
    ), attempts as (
      delete from delivery_attempt a using old where a.delivery_id = old.id
    )
    delete from delivery d using old where d.id = old.id returning d.id`.execute(db)
  return rows.length
}

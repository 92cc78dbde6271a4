import { sql } from 'kysely'
import type { Db } from './tables.ts'
import type { UserKey } from './users.ts'

/** Tasks of a user on one day. Days are counted from 1970-01-01, in UTC. */
export type DayCount = { readonly day: number; readonly consumed: number }

/** The days from `first` to `last` on which a user had tasks, oldest first. */
export async function readDays(db: Db, { appKey, userId }: UserKey, first: number, last: number): Promise<DayCount[]> {
  const { rows } = await sql<{ day: number; consumed: string }>`
    select day - date '1970-01-01' as day, consumed from usage_day
    where app_key = ${appKey} and user_id = ${userId}
      and day between date '1970-01-01' + ${first}::int and date '1970-01-01' + ${last}::int
    order by day`.execute(db)
  return rows.map(({ day, consumed }) => ({ day, consumed: Number(consumed) }))
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The database's clock: the one that all processes share. In a transaction, the time at which it began. */
export async function readNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database has no clock')
  return row.now
}

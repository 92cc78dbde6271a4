import { type Kysely, sql } from 'kysely'
import { deleteOldRows } from './delete-old-rows.ts'
import { dropPartitions } from './drop-partitions.ts'
import { makePartitions } from './make-partitions.ts'
import type { PartitionedTable } from './partition.ts'

/** Partitions that were made and dropped, by name, and the number of old rows deleted from the default partition. */
export type Retained = { readonly made: string[]; readonly dropped: string[]; readonly deleted: number }

/**
 * Makes the partitions that are due, drops those that hold nothing younger than `keptDays`, and deletes old rows of the default partition.
 * Any process may do it at any time. `begin` is told, before anything goes, before which time everything may go.
 */
export async function retainPartitions<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  keptDays: number,
  begin: (before: Date) => Promise<void> = async () => {},
): Promise<Retained> {
  const { rows } = await sql<{ now: Date; before: Date }>`
    select now(), now() - ${keptDays}::int * interval '24 hours' as before`.execute(db)
  const [clock] = rows
  if (clock === undefined) throw new Error('the database has no clock')
  const made = await makePartitions(db, plan, clock.now)
  await begin(clock.before)
  const dropped = await dropPartitions(db, plan, clock.before)
  return { made, dropped, deleted: await deleteOldRows(db, plan, clock.before) }
}

import { type Kysely, sql } from 'kysely'
import { deleteOldRows } from './delete-old-rows.ts'
import { dropPartitions } from './drop-partitions.ts'
import { makePartitions } from './make-partitions.ts'
import type { PartitionedTable } from './partition.ts'

/** Partitions that were made and dropped, by name, and the number of old rows deleted from the default partition. */
export type Retained = { readonly made: string[]; readonly dropped: string[]; readonly deleted: number }

/**
 * Makes the partitions that are due, drops those that hold nothing younger than `keptDays`, and deletes old rows of the default partition.
 * Any process may do it at any time. `begin` is told, before anything goes, before which time everything may go. Once the signal aborts
 * no further step is begun; the next turn goes on.
 */
export async function retainPartitions<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  keptDays: number,
  postgresUrl: string,
  signal: AbortSignal | undefined,
  begin: (before: Date) => Promise<void> = async () => {},
): Promise<Retained> {
  const made = await makePartitions(db, plan, postgresUrl, signal)
  const { rows } = await sql<{ before: Date }>`select now() - ${keptDays}::int * interval '24 hours' as before`.execute(db)
  const before = rows[0]?.before
  if (before === undefined) throw new Error('the database has no clock')
  await begin(before)
  const dropped = await dropPartitions(db, plan, before, signal)
  return { made, dropped, deleted: await deleteOldRows(db, plan, before, signal) }
}

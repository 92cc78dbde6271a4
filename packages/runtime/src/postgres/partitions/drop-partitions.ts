import { type Kysely, sql } from 'kysely'
import { holdsYounger } from './holds-younger.ts'
import { inTurn } from './in-turn.ts'
import type { PartitionedTable } from './partition.ts'
import { readPartitions } from './read-partitions.ts'

/**
 * Drops the partitions that end before a time and hold no row from after it, and gives their names.
 *
 * DETACH … CONCURRENTLY is refused where there is a default partition, so this is a plain DROP. It locks the whole table, but for the
 * change of the catalog only: the files go when the locks are gone. To get the lock it waits half a second at most, once per partition.
 */
export async function dropPartitions<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const dropped: string[] = []
  for (const { name, to } of await readPartitions(db, plan)) {
    if (to > before || signal?.aborted === true || !(await isThere(db, plan, name))) continue
    // Ids carry the time of the process that made them, rows that of the database.
    if ((await holdsYounger(db, plan, name, before, signal)) !== false) continue
    const gone = await inTurn(db, plan, async (tx) => {
      if (!(await isThere(tx, plan, name))) return false
      await sql`drop table ${sql.table(name)}`.execute(tx)
      return true
    })
    if (gone === true) dropped.push(name)
  }
  return dropped
}

async function isThere<T>(db: Kysely<T>, plan: PartitionedTable, name: string): Promise<boolean> {
  return (await readPartitions(db, plan)).some((each) => each.name === name)
}

import { type Kysely, sql } from 'kysely'
import { inTurn } from './in-turn.ts'
import type { PartitionedTable } from './partition.ts'
import { readPartitions } from './read-partitions.ts'

/**
 * Drops the partitions that end before a time and hold no row from after it, and gives their names.
 *
 * DETACH … CONCURRENTLY is refused where there is a default partition, so this is a plain DROP. It locks the whole table, but for the
 * change of the catalog only: the files go when the locks are gone. To get the lock it waits half a second at most, once per partition.
 */
export async function dropPartitions<T>(db: Kysely<T>, plan: PartitionedTable, before: Date): Promise<string[]> {
  const dropped: string[] = []
  for (const { name, to } of await readPartitions(db, plan)) {
    if (to > before) continue
    const gone = await inTurn(db, plan, async (tx) => {
      if (!(await readPartitions(tx, plan)).some((each) => each.name === name)) return false
      // Ids carry the time of the process that made them, rows that of the database.
      const { rows } = await sql`select from ${sql.table(name)} where occurred_at >= ${before} limit 1`.execute(tx)
      if (rows.length > 0) return false
      await sql`drop table ${sql.table(name)}`.execute(tx)
      return true
    })
    if (gone === true) dropped.push(name)
  }
  return dropped
}

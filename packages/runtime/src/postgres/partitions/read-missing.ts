import { type Kysely, sql } from 'kysely'
import { type Partition, type PartitionedTable, partitionAt } from './partition.ts'
import { readPartitions } from './read-partitions.ts'

/** Of the current partition and those ahead, the ones that are not there, the earliest first. */
export async function readMissing<T>(db: Kysely<T>, plan: PartitionedTable): Promise<Partition[]> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  const now = rows[0]?.now ?? new Date()
  const present = new Set((await readPartitions(db, plan)).map(({ name }) => name))
  return Array.from({ length: plan.ahead + 1 }, (_, n) => partitionAt(plan, now, n)).filter(({ name }) => !present.has(name))
}

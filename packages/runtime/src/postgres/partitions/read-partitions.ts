import { type Kysely, sql } from 'kysely'
import { type Partition, type PartitionedTable, partitionNamed } from './partition.ts'

/** The partitions of a table but the default one, the oldest first. */
export async function readPartitions<T>(db: Kysely<T>, plan: PartitionedTable): Promise<Partition[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${plan.table}::regclass order by c.relname`.execute(db)
  return rows.flatMap(({ name }) => partitionNamed(plan, name) ?? [])
}

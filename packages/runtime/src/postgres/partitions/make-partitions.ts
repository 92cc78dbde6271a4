import { type Kysely, sql, type Transaction } from 'kysely'
import { inTurn } from './in-turn.ts'
import { bounds, type Partition, type PartitionedTable, partitionAt } from './partition.ts'
import { readPartitions } from './read-partitions.ts'

/** Rows that are moved at most while others wait: about a second. */
const MOVED_MAX = 100_000

/**
 * Makes the current partition and those ahead that are not there yet, and gives their names. Rows in the default partition that belong
 * into one are moved; when they are too many the partition is left out, and they stay where they are until they are too old.
 */
export async function makePartitions<T>(db: Kysely<T>, plan: PartitionedTable, now: Date): Promise<string[]> {
  const present = new Set((await readPartitions(db, plan)).map(({ name }) => name))
  const made: string[] = []
  for (let n = 0; n <= plan.ahead; n++) {
    const partition = partitionAt(plan, now, n)
    if (present.has(partition.name)) continue
    if (await inTurn(db, plan, async (tx) => await make(tx, plan, partition))) made.push(partition.name)
  }
  return made
}

async function make<T>(tx: Transaction<T>, plan: PartitionedTable, partition: Partition): Promise<boolean> {
  const [table, spare, name] = [sql.table(plan.table), sql.table(`${plan.table}_default`), sql.table(partition.name)]
  if ((await readPartitions(tx, plan)).some((each) => each.name === partition.name)) return false
  const { first, end } = bounds(partition)
  const within = sql`${sql.ref(plan.key)} >= ${first}::uuid and ${sql.ref(plan.key)} < ${end}::uuid`
  const { rows } = await sql`select from ${spare} where ${within} limit ${MOVED_MAX + 1}`.execute(tx)
  if (rows.length > MOVED_MAX) return false

  // Made apart and then attached: CREATE … PARTITION OF would lock all of the table, ATTACH only the default partition.
  await sql`create table ${name} (like ${table} including all)`.execute(tx)
  await sql`lock table ${spare} in access exclusive mode`.execute(tx)
  await sql`with moved as (delete from ${spare} where ${within} returning *) insert into ${name} select * from moved`.execute(tx)
  await sql`alter table ${table} attach partition ${name} for values from (${sql.lit(first)}) to (${sql.lit(end)})`.execute(tx)
  return true
}

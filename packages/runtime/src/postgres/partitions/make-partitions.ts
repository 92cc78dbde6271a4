import { type Kysely, sql, type Transaction } from 'kysely'
import { attachAhead } from './attach-ahead.ts'
import { inTurn } from './in-turn.ts'
import { dropNotYet } from './not-yet.ts'
import { bounds, type Partition, type PartitionedTable } from './partition.ts'
import { readMissing } from './read-missing.ts'
import { readPartitions } from './read-partitions.ts'

/** Rows that are moved at most while others wait: about a second. */
const MOVED_MAX = 100_000
/** How large a default partition is at most that is read through while others wait. */
const READ_MAX_BYTES = 64 * 1_048_576
/** How long each statement may keep them. */
const STATEMENT_MS = 3_000
/** A partition that begins so much later has no rows yet, and what goes wrong on the way can be put right before it has. */
const FAR_MS = 12 * 3_600_000

/**
 * Makes the current partition and those ahead that are not there yet, and gives their names. Rows in the default partition that belong
 * into one are moved; when they are too many the partition is left out, and they stay where they are until they are too old. So is the
 * current one beside a default partition that is large, as ATTACH reads it while others wait.
 */
export async function makePartitions<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  postgresUrl: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  await dropNotYet(db, plan)
  const { rows } = await sql<{ now: Date; large: boolean }>`
    select now(), pg_relation_size(${`${plan.table}_default`}::regclass) > ${READ_MAX_BYTES}::bigint as large`.execute(db)
  const { now = new Date(), large = false } = rows[0] ?? {}
  const made: string[] = []
  for (const partition of await readMissing(db, plan)) {
    if (signal?.aborted === true) break
    const far = +partition.from - +now > FAR_MS
    if (large && !far) continue
    const done = large
      ? await attachAhead(db, plan, partition, postgresUrl, signal)
      : await inTurn(db, plan, async (tx) => await make(tx, plan, partition))
    if (done === true) made.push(partition.name)
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
  await sql`set local statement_timeout = ${sql.lit(STATEMENT_MS)}`.execute(tx)
  await sql`lock table ${spare} in access exclusive mode`.execute(tx)
  await sql`with moved as (delete from ${spare} where ${within} returning *) insert into ${name} select * from moved`.execute(tx)
  await sql`alter table ${table} attach partition ${name} for values from (${sql.lit(first)}) to (${sql.lit(end)})`.execute(tx)
  return true
}

import { DAY_MS } from '@onward/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { codeOf } from '../error-code.ts'
import { firstUuidAt } from '../uuid.ts'

/**
 * A table that is partitioned by ranges of its UUIDv7 key, so that each range of ids is a span of time. It has a column `occurred_at`, and
 * a default partition named `<table>_default` for rows that fit no other partition.
 */
export type PartitionedTable = { readonly table: string; readonly every: 'day' | 'month' }

/** A partition holds the ids that were made from `from` (inclusive) to `to` (exclusive). */
export type Partition = { readonly name: string; readonly from: Date; readonly to: Date }

/** The names of partitions that were created and dropped, and the number of old rows deleted from the default partition. */
export type Retained = { readonly made: string[]; readonly dropped: string[]; readonly deleted: number }

/** How many partitions are created ahead of the current one: two months of days, or a year of months. */
const AHEAD = { day: 60, month: 12 } as const
/** How long a process waits while another process changes the same table's partitions. */
const OTHER_PROCESS_MS = 5_000
/** Other queries of the table wait while a change waits for its table lock, and then during each of its statements. */
const TABLE_LOCK_MS = 500
const STATEMENT_MS = 3_000
/** Maximum number of rows that one statement deletes from the default partition. */
const DELETED_MAX = 10_000

/** Returns the partition that is current at a time, or the n-th partition after it. Days and months are in UTC. */
export function partitionAt({ table, every }: PartitionedTable, at: Date, n = 0): Partition {
  const from = startOf(every, at, n)
  const digits = from.toISOString().replaceAll('-', '')
  return { name: `${table}_${digits.slice(0, every === 'day' ? 8 : 6)}`, from, to: startOf(every, at, n + 1) }
}

/** Returns the partitions of a table without the default one, oldest first. */
export async function readPartitions<T>(db: Kysely<T>, plan: PartitionedTable): Promise<Partition[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${plan.table}::regclass order by c.relname`.execute(db)
  return rows.flatMap(({ name }) => partitionNamed(plan, name) ?? [])
}

/**
 * Returns the partitions of a table, oldest first, each with the number of rows that Postgres last estimated; null before the first time.
 */
export async function readPartitionSizes<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
): Promise<(Partition & { readonly rowsEstimate: number | null })[]> {
  const { rows } = await sql<{ name: string; estimate: number }>`
    select c.relname as name, c.reltuples::float8 as estimate from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${plan.table}::regclass`.execute(db)
  const estimates = new Map(rows.map(({ name, estimate }) => [name, estimate]))
  return (await readPartitions(db, plan)).map((partition) => {
    const estimate = estimates.get(partition.name) ?? -1
    return { ...partition, rowsEstimate: estimate < 0 ? null : estimate }
  })
}

/** Returns the partitions that are missing among the current one and those to create ahead, earliest first. */
export async function readMissingPartitions<T>(db: Kysely<T>, plan: PartitionedTable): Promise<Partition[]> {
  const now = await readDatabaseTime(db)
  const present = new Set((await readPartitions(db, plan)).map(({ name }) => name))
  return Array.from({ length: AHEAD[plan.every] + 1 }, (_, n) => partitionAt(plan, now, n)).filter(({ name }) => !present.has(name))
}

/**
 * Creates the partitions that are missing and returns their names. Skips a partition if its lock is not free, or if the default partition
 * holds rows of its range. Those rows stay there until they are too old.
 */
export async function makePartitions<T>(db: Kysely<T>, plan: PartitionedTable, signal?: AbortSignal): Promise<string[]> {
  const made: string[] = []
  for (const { name, from, to } of await readMissingPartitions(db, plan)) {
    if (signal?.aborted === true) break
    const changed = await changePartitions(db, plan, async (tx) => {
      if (await exists(tx, plan, name)) return false
      // ATTACH locks only the default partition against reads and writes; CREATE … PARTITION OF would lock the whole table.
      await sql`create table ${sql.table(name)} (like ${sql.table(plan.table)} including all)`.execute(tx)
      await sql`
        alter table ${sql.table(plan.table)} attach partition ${sql.table(name)}
        for values from (${sql.lit(firstUuidAt(from))}) to (${sql.lit(firstUuidAt(to))})`.execute(tx)
      return true
    })
    if (changed) made.push(name)
  }
  return made
}

/**
 * Creates the missing partitions, and drops partitions that ended more than `keptDays` + 1 days ago. Also deletes rows of that age from the
 * default partition. The extra day is for ids from a process whose clock is wrong. `beforeDropping` is called before anything is dropped,
 * with the time before which rows may be deleted. Any process may run this at any time. After `signal` aborts, no further step begins.
 */
export async function retainPartitions<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  keptDays: number,
  signal?: AbortSignal,
  beforeDropping: (before: Date) => Promise<void> = async () => {},
): Promise<Retained> {
  const made = await makePartitions(db, plan, signal)
  const before = new Date(+(await readDatabaseTime(db)) - (keptDays + 1) * DAY_MS)
  await beforeDropping(before)
  const dropped = await dropPartitions(db, plan, before, signal)
  return { made, dropped, deleted: await deleteOldRows(db, plan, before, signal) }
}

/**
 * Drops old partitions and returns their names. Uses a plain DROP, because Postgres does not allow DETACH CONCURRENTLY if there is a
 * default partition. DROP locks the whole table, but only while it changes Postgres's own catalog. The files are removed after the lock is
 * released.
 */
async function dropPartitions<T>(db: Kysely<T>, plan: PartitionedTable, before: Date, signal: AbortSignal | undefined): Promise<string[]> {
  const dropped: string[] = []
  for (const { name, to } of await readPartitions(db, plan)) {
    if (to > before || signal?.aborted === true) break
    const changed = await changePartitions(db, plan, async (tx) => {
      if (!(await exists(tx, plan, name))) return false
      await sql`drop table ${sql.table(name)}`.execute(tx)
      return true
    })
    if (changed) dropped.push(name)
  }
  return dropped
}

/**
 * Deletes old rows of the default partition and returns their number. It holds only ids of unusual times, so it is small and needs no index
 * on `occurred_at`.
 */
async function deleteOldRows<T>(db: Kysely<T>, plan: PartitionedTable, before: Date, signal: AbortSignal | undefined): Promise<number> {
  const defaultPartition = sql.table(`${plan.table}_default`)
  let deleted = 0
  while (signal?.aborted !== true) {
    const { numAffectedRows } = await sql`
      delete from ${defaultPartition}
      where ctid = any(array(select ctid from ${defaultPartition} where occurred_at < ${before} limit ${DELETED_MAX}))`.execute(db)
    deleted += Number(numAffectedRows ?? 0)
    if (Number(numAffectedRows ?? 0) < DELETED_MAX) break
  }
  return deleted
}

/**
 * Runs a change in a transaction, one process at a time for each table, and returns its result. Returns false if a lock was not free in time
 * or a statement took too long. Also returns false if the default partition holds rows of a new partition's range. The next run tries again.
 */
async function changePartitions<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  change: (tx: Transaction<T>) => Promise<boolean>,
): Promise<boolean> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(OTHER_PROCESS_MS)}`.execute(tx)
      // A lock of the transaction, not of the session, so that it works through a pooler too.
      await sql`select pg_advisory_xact_lock(hashtextextended(${plan.table}, 0))`.execute(tx)
      await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_MS)}`.execute(tx)
      await sql`set local statement_timeout = ${sql.lit(STATEMENT_MS)}`.execute(tx)
      return await change(tx)
    })
  } catch (err) {
    // lock_not_available, query_canceled, check_violation
    if (/^(55P03|57014|23514)$/.test(codeOf(err) ?? '')) return false
    throw err
  }
}

async function exists<T>(db: Kysely<T>, plan: PartitionedTable, name: string): Promise<boolean> {
  return (await readPartitions(db, plan)).some((partition) => partition.name === name)
}

async function readDatabaseTime<T>(db: Kysely<T>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  if (rows[0] === undefined) throw new Error('Postgres returned no time')
  return rows[0].now
}

/** Returns undefined for a name that `partitionAt` does not make, such as the default partition's name. */
function partitionNamed(plan: PartitionedTable, name: string): Partition | undefined {
  const [, year, month, day = '01'] = /_(\d{4})(\d{2})(\d{2})?$/.exec(name) ?? []
  if (year === undefined) return undefined
  const partition = partitionAt(plan, new Date(`${year}-${month}-${day}T00:00:00Z`))
  return partition.name === name ? partition : undefined
}

function startOf(every: 'day' | 'month', at: Date, n: number): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return new Date(every === 'day' ? Date.UTC(year, month, day + n) : Date.UTC(year, month + n, 1))
}

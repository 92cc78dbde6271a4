import { type Kysely, sql, type Transaction } from 'kysely'
import { openPatient } from '../database.ts'
import { inTurn } from './in-turn.ts'
import { dropNotYet, notYet } from './not-yet.ts'
import { bounds, type Partition, type PartitionedTable } from './partition.ts'

/** Waiting for the lock under which a constraint is validated keeps no reader and no writer. */
const VALIDATE_LOCK_MS = 10_000
const ATTACH_LOCK_MS = 500

/**
 * Makes a partition of a time to come beside a large default partition, which is read through while others read and write: a constraint
 * that leaves the range out is validated first, so that ATTACH need not look. A row of the range is refused meanwhile, to be tried
 * again, so the range must lie so far ahead that only a clock that is wrong can make one. False where the default partition has one
 * already, where another process is at it, or when the signal aborts.
 */
export async function attachAhead<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  partition: Partition,
  postgresUrl: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { first, end } = bounds(partition)
  const [spare, constraint] = [sql.table(`${plan.table}_default`), sql.ref(notYet(plan))]
  const [key, from, to] = [sql.ref(plan.key), sql.lit(first), sql.lit(end)]
  const free = await inTurn(db, plan, async (tx) => {
    const { rows } = await sql`select from ${spare} where ${key} >= ${from}::uuid and ${key} < ${to}::uuid limit 1`.execute(tx)
    if (rows.length > 0) return false
    await sql`alter table ${spare} add constraint ${constraint} check (${key} < ${from}::uuid or ${key} >= ${to}::uuid) not valid`.execute(
      tx,
    )
    return true
  })
  if (free !== true) return false
  const patient = openPatient(postgresUrl)
  try {
    const made = await inTurn(patient, plan, async (tx) => {
      const valid = await untilAborted(tx, db, signal, async () => {
        await sql`set local lock_timeout = ${sql.lit(VALIDATE_LOCK_MS)}`.execute(tx)
        await sql`alter table ${spare} validate constraint ${constraint}`.execute(tx)
      })
      if (!valid) return false
      await sql`set local lock_timeout = ${sql.lit(ATTACH_LOCK_MS)}`.execute(tx)
      const [table, name] = [sql.table(plan.table), sql.table(partition.name)]
      await sql`create table ${name} (like ${table} including all)`.execute(tx)
      await sql`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`.execute(tx)
      await sql`alter table ${spare} drop constraint ${constraint}`.execute(tx)
      return true
    })
    return made === true
  } finally {
    await patient.destroy()
    await dropNotYet(db, plan)
  }
}

/** Does work in a transaction, and cancels it over another connection when the signal aborts. False when that is so before it has begun. */
async function untilAborted<T>(
  tx: Transaction<unknown>,
  db: Kysely<T>,
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<boolean> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  const cancel = () => void sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => {})
  signal?.addEventListener('abort', cancel)
  try {
    if (signal?.aborted === true) return false
    await work()
    return true
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

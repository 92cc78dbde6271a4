import { type Kysely, sql, type Transaction } from 'kysely'
import type { PartitionedTable } from './partition.ts'

/** What everybody else has to wait for at most when a lock that is asked for can't be had. */
const LOCK_MS = 500

/**
 * Changes partitions in a transaction, one process at a time. Undefined when another process is at it, when a lock could not be had in half
 * a second, or when a statement took too long or was cancelled: traffic that waits behind us is not kept longer, and the next turn tries again.
 */
export async function inTurn<T, R>(
  db: Kysely<T>,
  plan: PartitionedTable,
  change: (tx: Transaction<T>) => Promise<R>,
): Promise<R | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      // Of the transaction, not of the session: it works through a pooler too.
      const { rows } = await sql<{ ours: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${plan.table}, 0)) as ours`.execute(tx)
      if (rows[0]?.ours !== true) return undefined
      await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx)
      return await change(tx)
    })
  } catch (err) {
    if (/^(55P03|57014)$/.test(String((err as { code?: unknown } | null)?.code))) return undefined
    throw err
  }
}

import { type Log, type Loop, openLoop, type PartitionedTable, type Retained, retainPartitions } from '@onward/runtime'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

export const CALLS: PartitionedTable = { table: 'call_log', key: 'call_id', every: 'month', ahead: 1 }

const EVERY_MS = 3_600_000

/** Makes partitions of the calls log ahead, and drops those in which all calls are older than `keptDays`. Any process may do it at any time. */
export async function retain(db: Kysely<Tables>, keptDays: number): Promise<Retained> {
  return await retainPartitions(db, CALLS, keptDays)
}

/** Sees to the partitions now and every hour. A first turn that fails keeps nobody from starting: there is a default partition. */
export async function beginRetention(db: Kysely<Tables>, keptDays: number, log: Log): Promise<Loop> {
  await retain(db, keptDays).catch((err: unknown) => log.warn({ err }, 'partitions could not be seen to; it is tried again'))
  return openLoop(
    EVERY_MS,
    async () => {
      const { made, dropped } = await retain(db, keptDays)
      if (made.length + dropped.length > 0) log.info({ made, dropped }, 'partitions were made or dropped')
    },
    log,
  )
}

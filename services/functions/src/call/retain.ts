import { type PartitionedTable, type Retained, retainPartitions } from '@onward/runtime'
import type { Db } from '../db/tables.ts'

export const CALLS: PartitionedTable = { table: 'call_log', every: 'month' }

/** Creates partitions of the calls log ahead, and drops those in which all calls are older than `keptDays`. Any process may run this. */
export async function retain(db: Db, keptDays: number, signal?: AbortSignal): Promise<Retained> {
  return await retainPartitions(db, CALLS, keptDays, signal)
}

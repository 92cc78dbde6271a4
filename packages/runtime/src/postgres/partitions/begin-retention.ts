import type { Kysely } from 'kysely'
import type { Log } from '../../log.ts'
import { type Loop, openLoop } from '../../loop.ts'
import { makePartitions } from './make-partitions.ts'
import type { PartitionedTable } from './partition.ts'
import type { Retained } from './retain-partitions.ts'

const EVERY_MS = 3_600_000
/** After which the start begins no further partition. */
const MAKE_MS = 5_000

/**
 * Makes the partitions that are due, then sees to all of `retain` in the background, now and every hour. Partitions that can't be made
 * keep nobody from starting: there is a default one.
 */
export async function beginRetention<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  postgresUrl: string,
  retain: (signal: AbortSignal) => Promise<Retained>,
  log: Log,
): Promise<Loop> {
  await makePartitions(db, plan, postgresUrl, AbortSignal.timeout(MAKE_MS)).catch((err: unknown) =>
    log.warn({ err }, 'partitions could not be made; it is tried again'),
  )
  return openLoop(
    EVERY_MS,
    async (signal) => {
      const { made, dropped } = await retain(signal)
      if (made.length + dropped.length > 0) log.info({ made, dropped }, 'partitions were made or dropped')
    },
    log,
    'at once',
  )
}

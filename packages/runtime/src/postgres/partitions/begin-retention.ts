import type { Kysely } from 'kysely'
import type { Log } from '../../log.ts'
import { type Loop, openLoop } from '../../loop.ts'
import { makePartitions } from './make-partitions.ts'
import type { PartitionedTable } from './partition.ts'
import { readMissing } from './read-missing.ts'
import type { Retained } from './retain-partitions.ts'

const EVERY_MS = 3_600_000
/** After which the start begins no further partition. */
const MAKE_MS = 5_000
const NOT_MADE = 'partitions could not be made; it is tried again'

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
  await makePartitions(db, plan, postgresUrl, AbortSignal.timeout(MAKE_MS)).catch((err: unknown) => log.warn({ err }, NOT_MADE))
  return openLoop(
    EVERY_MS,
    async (signal) => {
      const { made, dropped } = await retain(signal)
      if (made.length + dropped.length > 0) log.info({ made, dropped }, 'partitions were made or dropped')
      const missing = signal.aborted ? [] : await readMissing(db, plan)
      // Behind who holds a lock nothing fails: others wait no longer than they must.
      if (missing.length > 0) log.warn({ missing: missing.map(({ name }) => name) }, NOT_MADE)
    },
    log,
    'at once',
  )
}

import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import { type Metrics, openGauge } from '../metrics.ts'
import { type Loop, openLoop } from '../time.ts'
import {
  makePartitions,
  type Partition,
  type PartitionedTable,
  type Retained,
  readMissingPartitions,
  readPartitions,
} from './partitions.ts'

const EVERY_MS = 3_600_000
/** Maximum time for creating partitions during the start. The first background run creates the rest. */
const START_MS = 5_000
const NOT_CREATED = 'partitions could not be created; trying again within the hour'

/**
 * Creates the missing partitions, then runs `retain` in the background, at once and every hour. A failure to create partitions does not
 * stop the start, because the default partition takes every row.
 */
export async function beginRetention<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  retain: (signal: AbortSignal) => Promise<Retained>,
  log: Log,
): Promise<Loop> {
  await makePartitions(db, plan, AbortSignal.timeout(START_MS)).catch((err: unknown) => log.warn({ err }, NOT_CREATED))
  return openLoop(
    EVERY_MS,
    async (signal) => {
      const { made, dropped } = await retain(signal)
      if (made.length + dropped.length > 0) log.info({ made, dropped }, 'created and dropped partitions')
      const missing = signal.aborted ? [] : await readMissingPartitions(db, plan)
      if (missing.length > 0) log.warn({ missing: missing.map(({ name }) => name) }, NOT_CREATED)
    },
    log,
    'at once',
  )
}

/** Adds the gauges `<prefix>_partitions`, `_partition_oldest_seconds` and `_partition_ahead_seconds`, read from Postgres at each scrape. */
export function measurePartitions<T>(metrics: Metrics, prefix: string, db: Kysely<T>, plan: PartitionedTable, log: Log): void {
  const gauge = (name: string, help: string, read: (partitions: readonly Partition[], now: number) => number) =>
    openGauge(metrics, { name: `${prefix}_${name}`, help }, async () => Math.round(read(await readPartitions(db, plan), Date.now())), log)
  const { table } = plan
  gauge('partitions', `Number of partitions of ${table}, without the default one.`, (all) => all.length)
  gauge('partition_oldest_seconds', `Time since the start of the oldest partition of ${table}.`, ([oldest], now) =>
    oldest === undefined ? 0 : (now - +oldest.from) / 1_000,
  )
  gauge('partition_ahead_seconds', `Time until the end of the newest partition of ${table}.`, (all, now) => {
    const newest = all.at(-1)
    return newest === undefined ? 0 : (+newest.to - now) / 1_000
  })
}

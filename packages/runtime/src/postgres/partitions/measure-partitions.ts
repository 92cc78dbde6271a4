import type { Kysely } from 'kysely'
import type { Log } from '../../log.ts'
import { Gauge, type Metrics } from '../../metrics.ts'
import type { Partition, PartitionedTable } from './partition.ts'
import { readPartitions } from './read-partitions.ts'

/** Adds gauges `<prefix>_partitions`, `_partition_oldest_seconds` and `_partition_ahead_seconds`, which are read from Postgres when they are asked for. */
export function measurePartitions<T>(metrics: Metrics, prefix: string, db: Kysely<T>, plan: PartitionedTable, log: Log): void {
  function gauge(name: string, help: string, read: (partitions: readonly Partition[], now: number) => number): void {
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      registers: [metrics],
      async collect() {
        try {
          this.set(read(await readPartitions(db, plan), Date.now()))
        } catch (err) {
          log.warn({ err }, 'partitions could not be measured')
        }
      },
    })
  }
  const { table } = plan
  gauge('partitions', `Partitions of ${table}, without the default one.`, (all) => all.length)
  gauge('partition_oldest_seconds', `Time since the oldest partition of ${table} began.`, ([oldest], now) =>
    seconds(now - Number(oldest?.from ?? now)),
  )
  gauge('partition_ahead_seconds', `Time until the newest partition of ${table} ends.`, (all, now) =>
    seconds(Number(all.at(-1)?.to ?? now) - now),
  )
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000)
}

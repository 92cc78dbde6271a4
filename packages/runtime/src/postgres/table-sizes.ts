import { type QueryExecutorProvider, sql } from 'kysely'
import type { Log } from '../log.ts'
import { Gauge, type Metrics } from '../metrics.ts'

/**
 * Adds the gauge `<prefix>_table_bytes`: the size of each table on disk, with its indexes and partitions, read from Postgres at each scrape.
 * `infra/README.md` says for each table what bounds it.
 */
export function measureTables(metrics: Metrics, prefix: string, db: QueryExecutorProvider, log: Log): void {
  new Gauge({
    name: `${prefix}_table_bytes`,
    help: 'Bytes on disk of each table, with its indexes and partitions.',
    labelNames: ['table'] as const,
    registers: [metrics],
    async collect() {
      this.reset()
      try {
        const sizes = await readTableBytes(db)
        for (const { table, bytes } of sizes) this.set({ table }, bytes)
      } catch (err) {
        log.warn({ err }, 'the sizes of tables could not be read for the metrics')
      }
    },
  })
}

async function readTableBytes(db: QueryExecutorProvider): Promise<{ readonly table: string; readonly bytes: number }[]> {
  const { rows } = await sql<{ table: string; bytes: number }>`
    select coalesce(pg_partition_root(oid), oid)::regclass::text as table, coalesce(sum(pg_total_relation_size(oid)), 0)::float8 as bytes
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    group by 1`.execute(db)
  return rows
}

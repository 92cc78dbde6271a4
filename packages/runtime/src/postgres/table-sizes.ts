import { type QueryExecutorProvider, sql } from 'kysely'
import type { Log } from '../log.ts'
import { type Metrics, openGauge } from '../metrics.ts'

/**
 * Adds the gauge `<prefix>_table_bytes`: the size of each table on disk, with its indexes and partitions, read from Postgres at each scrape.
 * `infra/README.md` says for each table what bounds it.
 */
export function measureTables(metrics: Metrics, prefix: string, db: QueryExecutorProvider, log: Log): void {
  const help = 'Bytes on disk of each table, with its indexes and partitions.'
  openGauge(metrics, { name: `${prefix}_table_bytes`, help, label: 'table' }, () => readTableBytes(db), log)
}

async function readTableBytes(db: QueryExecutorProvider): Promise<Record<string, number>> {
  const { rows } = await sql<{ table: string; bytes: number }>`
    select coalesce(pg_partition_root(oid), oid)::regclass::text as table, coalesce(sum(pg_total_relation_size(oid)), 0)::float8 as bytes
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ table, bytes }) => [table, bytes]))
}

import { firstUuidAt, type PartitionedTable, partitionAt, readPartitions } from '@onward/runtime'
import { type Kysely, sql } from 'kysely'

/** One of two databases that are compared, and what is done to both, by name. */
export type Side = {
  readonly work: Readonly<Record<string, () => Promise<unknown>>>
  analyze(): Promise<void>
  close(): Promise<void>
}

/** Leaves the default partition alone: the suites' databases come with partitions of insights. */
export async function dropPartitions<T>(db: Kysely<T>, plan: PartitionedTable): Promise<void> {
  for (const { name } of await readPartitions(db, plan)) await sql`drop table ${sql.table(name)}`.execute(db)
}

/** Makes the partitions from the n-th to the m-th, 0 being the current one. */
export async function attachPartitions<T>(db: Kysely<T>, plan: PartitionedTable, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) {
    const { name, from: first, to: end } = partitionAt(plan, new Date(), n)
    const values = sql`from (${sql.lit(firstUuidAt(first))}) to (${sql.lit(firstUuidAt(end))})`
    await sql`create table if not exists ${sql.table(name)} partition of ${sql.table(plan.table)} for values ${values}`.execute(db)
  }
}

/** Ids and times of `rows` rows that are spread evenly over the last days: a table `(id, n, at)`. */
export function spread(rows: number, days: number) {
  return sql`(
    select (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, n, at from (
      select n, at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as hex from (
        select n, now() - n * interval '24 hours' * ${days}::int / ${rows}::int as at from generate_series(1, ${rows}::int) n
      ) times
    ) hexes
  ) as spread`
}

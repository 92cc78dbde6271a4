import { type Kysely, sql } from 'kysely'
import { inTurn } from './in-turn.ts'
import type { PartitionedTable } from './partition.ts'

/** Rows that are looked at in one statement. */
const STEP = 10_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Deletes what is older than a time from the default partition, step by step through all of it. Gives the number of rows. */
export async function deleteOldRows<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  const [spare, key] = [sql.table(`${plan.table}_default`), sql.ref(plan.key)]
  let deleted = 0
  for (let after: string | null = BEFORE_ALL; after !== null && signal?.aborted !== true; ) {
    const from: string = after
    const step = await inTurn(db, plan, async (tx) => {
      const { rows } = await sql<{ last: string | null; gone: number }>`
        with step as materialized (
          select ${key} as key, occurred_at from ${spare} where ${key} > ${from}::uuid order by ${key} limit ${STEP}
        ), gone as (
          delete from ${spare} where ${key} = any(array(select key from step where occurred_at < ${before})) returning 1
        )
        select (select key from step order by key desc limit 1) as last, (select count(*)::int from gone) as gone`.execute(tx)
      return rows[0]
    })
    deleted += step?.gone ?? 0
    after = step?.last ?? null
  }
  return deleted
}

import { type Kysely, sql } from 'kysely'
import { inTurn } from './in-turn.ts'
import type { PartitionedTable } from './partition.ts'

/** So few that a step is short even where each row lies in another page on a disk. */
const STEP = 10_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Whether a partition holds a row that occurred at a time or after it. Reads it by its key, step by step, so that no statement is long however
 * large it is. Undefined when another process is at the partitions, or when the signal aborts.
 */
export async function holdsYounger<T>(
  db: Kysely<T>,
  plan: PartitionedTable,
  name: string,
  time: Date,
  signal: AbortSignal | undefined,
): Promise<boolean | undefined> {
  const [partition, key] = [sql.table(name), sql.ref(plan.key)]
  for (let after = BEFORE_ALL; signal?.aborted !== true; ) {
    const step = await inTurn(db, plan, async (tx) => {
      const { rows } = await sql<{ last: string | null; younger: boolean }>`
        with step as materialized (
          select ${key} as key, occurred_at from ${partition} where ${key} > ${after}::uuid order by ${key} limit ${STEP}
        )
        select (select key from step order by key desc limit 1) as last,
          exists (select from step where occurred_at >= ${time}) as younger`.execute(tx)
      return rows[0]
    })
    if (step === undefined) return undefined
    if (step.younger || step.last === null) return step.younger
    after = step.last
  }
  return undefined
}

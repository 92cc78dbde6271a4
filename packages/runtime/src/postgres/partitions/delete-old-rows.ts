import { type Kysely, sql } from 'kysely'
import { inTurn } from './in-turn.ts'
import type { PartitionedTable } from './partition.ts'

const STEP = 5_000
/** A turn ends some time; the next one goes on. */
const STEPS_MAX = 200

/** Deletes what is older than a time from the default partition, step by step. Gives the number of rows. */
export async function deleteOldRows<T>(db: Kysely<T>, plan: PartitionedTable, before: Date): Promise<number> {
  const spare = sql.table(`${plan.table}_default`)
  let deleted = 0
  for (let step = 0; step < STEPS_MAX; step++) {
    const rows = await inTurn(db, plan, async (tx) => {
      const { numAffectedRows } = await sql`
        delete from ${spare} where ctid = any(array(select ctid from ${spare} where occurred_at < ${before} limit ${STEP}))`.execute(tx)
      return Number(numAffectedRows ?? 0)
    })
    deleted += rows ?? 0
    if (rows === undefined || rows < STEP) break
  }
  return deleted
}

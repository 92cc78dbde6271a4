import { type Kysely, sql } from 'kysely'
import { inTurn } from './in-turn.ts'
import type { PartitionedTable } from './partition.ts'

/** The constraint that keeps a range of ids out of the default partition while the partition of that range is being made. */
export function notYet({ table }: PartitionedTable): string {
  return `${table}_not_yet`
}

/** Drops that constraint where a process that ended in the middle has left it behind. */
export async function dropNotYet<T>(db: Kysely<T>, plan: PartitionedTable): Promise<void> {
  const { rows } = await sql`select from pg_constraint where conname = ${notYet(plan)}`.execute(db)
  if (rows.length === 0) return
  await inTurn(db, plan, async (tx) => {
    await sql`alter table ${sql.table(`${plan.table}_default`)} drop constraint if exists ${sql.ref(notYet(plan))}`.execute(tx)
  })
}

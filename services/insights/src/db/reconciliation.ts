import { sql } from 'kysely'
import type { Db, DifferingHour, ReconcileRun } from './tables.ts'

/** Returns the hours that differed at the last comparison. */
export async function readDiffering(db: Db): Promise<readonly DifferingHour[]> {
  return (await db.selectFrom('reconciliation').select('differing').executeTakeFirstOrThrow()).differing
}

/** Stores the result of a comparison of all tasks from before `until`. */
export async function storeComparison(db: Db, until: Date, differing: readonly DifferingHour[]): Promise<void> {
  await db
    .updateTable('reconciliation')
    .set({ compared_until: until, differing: JSON.stringify(differing) })
    .execute()
}

/** Returns the number of hours that differed at the last comparison, and the age in seconds of the newest tasks that it included. */
export async function measureComparison(db: Db): Promise<{ differing: number; ageSeconds: number }> {
  const { rows } = await sql<{ differing: number; ageSeconds: number }>`
    select jsonb_array_length(differing) as differing, extract(epoch from now() - compared_until)::float8 as "ageSeconds"
    from reconciliation`.execute(db)
  return rows[0] ?? { differing: 0, ageSeconds: 0 }
}

/**
 * Returns the start time of the Postgres server if it differs from the noted one, or if the database was restored from a backup: Postgres was
 * restarted, or another server has taken over. Each can lose the last commits. The noted time is replicated with the row, so it differs, and
 * a restored table has another oid than the noted one.
 */
export async function readRestart(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ startedAt: string }>`
    select pg_postmaster_start_time()::text as "startedAt" from reconciliation
    where server_started_at <> pg_postmaster_start_time() or table_oid is distinct from 'reconciliation'::regclass`.execute(db)
  return rows[0]?.startedAt
}

/** Returns false if another process has noted the restart. */
export async function noteRestart(db: Db, startedAt: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update reconciliation set server_started_at = ${startedAt}::timestamptz, table_oid = 'reconciliation'::regclass
    where server_started_at <> ${startedAt}::timestamptz or table_oid is distinct from 'reconciliation'::regclass`.execute(db)
  return numAffectedRows > 0n
}

/** Returns the last comparison that somebody started, and locks it if `db` is a transaction that will change it. */
export async function readRun(db: Db, lock = false): Promise<ReconcileRun | null> {
  const query = db.selectFrom('reconciliation').select('run')
  return (await (lock ? query.forUpdate() : query).executeTakeFirstOrThrow()).run
}

export async function storeRun(db: Db, run: ReconcileRun): Promise<void> {
  await db
    .updateTable('reconciliation')
    .set({ run: JSON.stringify(run) })
    .execute()
}

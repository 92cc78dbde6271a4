import { sql } from 'kysely'
import { MAX_COUNTED } from './outbox.ts'
import type { Db } from './tables.ts'

/** Deletes processes without a heartbeat for 10 minutes and without call attempts. */
export async function deleteDeadProcesses(db: Db): Promise<void> {
  await sql`
    delete from process p where beat_at < now() - interval '10 minutes'
      and not exists (select from call_attempt a where a.process_id = p.id)`.execute(db)
}

/**
 * Returns the number of processes without a heartbeat for 30 s, the number of open call attempts, counted up to `MAX_COUNTED`, and the age of
 * the oldest attempt in seconds.
 */
export async function measureProcesses(db: Db): Promise<{ silent: number; openCalls: number; oldestAttemptSeconds: number }> {
  // Ids are UUIDv7, in order of time, and have an index. Processes are few: `deleteDeadProcesses` deletes old ones.
  const { rows } = await sql<{ silent: number; openCalls: number; oldestAttemptSeconds: number }>`
    select (select count(*)::int from process where beat_at < now() - interval '30 seconds') as silent,
      (select count(*)::int from (select from call_attempt limit ${MAX_COUNTED}) counted) as "openCalls",
      coalesce((select extract(epoch from now() - occurred_at) from call_attempt order by call_id limit 1), 0)::float8
        as "oldestAttemptSeconds"`.execute(db)
  return rows[0] ?? { silent: 0, openCalls: 0, oldestAttemptSeconds: 0 }
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Deletes the rows of processes without a heartbeat for 10 minutes: a process writes one every five seconds while it runs. */
export async function deleteDeadProcesses(db: Db): Promise<void> {
  await sql`delete from process where beat_at < now() - interval '10 minutes'`.execute(db)
}

import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Says that a process is alive. */
export async function beat(db: Kysely<Tables>, processId: string): Promise<void> {
  await sql`
    insert into process (id) values (${processId}) on conflict (id) do update set beat_at = now()`.execute(db)
}

export async function deleteProcess(db: Kysely<Tables>, processId: string): Promise<void> {
  await db.deleteFrom('process').where('id', '=', processId).execute()
}

/** Forgets processes that are long gone and have no attempts left. */
export async function deleteDeadProcesses(db: Kysely<Tables>): Promise<void> {
  await sql`
    delete from process p where beat_at < now() - interval '10 minutes'
      and not exists (select from call_attempt a where a.process_id = p.id)`.execute(db)
}

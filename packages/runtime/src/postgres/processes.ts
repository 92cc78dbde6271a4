import { type Kysely, sql } from 'kysely'
import { ConfigError } from '../env.ts'
import type { Reach } from '../outgoing/url.ts'

/** A process of a service, with a row in the table `process`. */
export type Process = { readonly id: string; readonly reach: Reach }

/**
 * Writes the first heartbeat of a process. Returns the time of Postgres. Throws a ConfigError if a process with a heartbeat in the last 30 s
 * has another reach: it would take work from the same tables, and send it to addresses that the others refuse. The previous version stores no
 * reach.
 */
export async function joinProcesses<T>(db: Kysely<T>, process: Process): Promise<Date> {
  // Of two processes that start at the same time, at least one sees the other.
  const beatAt = await writeHeartbeat(db, process)
  const { rows } = await sql<{ reach: string }>`
    select reach from process where reach <> ${process.reach} and beat_at > now() - interval '30 seconds' limit 1`.execute(db)
  const [other] = rows
  if (other === undefined) return beatAt
  await deleteProcess(db, process.id)
  throw new ConfigError(
    `OUTGOING_REACH is ${process.reach} here and ${other.reach} in a process that uses the same database; set the same value for all of them, or stop the others and wait 30 s`,
  )
}

/** Writes the heartbeat of a process. Returns the time of Postgres. */
export async function writeHeartbeat<T>(db: Kysely<T>, { id, reach }: Process): Promise<Date> {
  const { rows } = await sql<{ beat_at: Date }>`
    insert into process (id, reach) values (${id}, ${reach}) on conflict (id) do update set beat_at = now() returning beat_at`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the heartbeat could not be written: the query returned no row')
  return row.beat_at
}

export async function deleteProcess<T>(db: Kysely<T>, id: string): Promise<void> {
  await sql`delete from process where id = ${id}`.execute(db)
}

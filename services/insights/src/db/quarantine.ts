import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Part of a job that can't be counted. `position` is its place among the job's events, −1 for the job as a whole. */
export type Rejected = { readonly position: number; readonly event: unknown; readonly reason: string }

/** Keeps what could not be counted. The same part of the same job is kept once, however often the job comes. */
export async function insertQuarantine(db: Db, jobId: string, rejected: readonly Rejected[]): Promise<number> {
  if (rejected.length === 0) return 0
  const texts = rejected.map(({ event }) => JSON.stringify(event ?? null))
  const digests = rejected.map(({ position }, i) => createHash('sha256').update(`${jobId}/${position}/${texts[i]}`).digest())
  const { rows } = await sql<{ id: string }>`
    insert into quarantine (digest, job_id, event, reason)
    select digest, ${jobId}, event, reason
    from unnest(${digests}::bytea[], ${texts}::text[], ${rejected.map(({ reason }) => reason)}::text[]) as made (digest, event, reason)
    on conflict do nothing returning id`.execute(db)
  return rows.length
}

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { eventFields } from './event-fields.ts'
import type { Db } from './tables.ts'

/** Part of a job that can't be counted. `position` is its place among the job's events, −1 for the job as a whole. */
export type Rejected = { readonly position: number; readonly event: unknown; readonly reason: string }

/** Keeps what could not be counted. The same part of the same job is kept once, however often the job comes. */
export async function insertQuarantine(db: Db, jobId: string, rejected: readonly Rejected[]): Promise<number> {
  if (rejected.length === 0) return 0
  const texts = rejected.map(({ event }) => JSON.stringify(event ?? null))
  const digests = rejected.map(({ position }, i) => digestOf(jobId, position, texts[i] as string))
  const fields = rejected.map(({ event }) => eventFields(event))
  const { rows } = await sql<{ id: string }>`
    insert into quarantine (digest, job_id, event, reason, event_id, app_key, occurred_at)
    select digest, ${jobId}, event, reason, event_id, app_key, occurred_at
    from unnest(
      ${digests}::bytea[], ${texts}::text[], ${rejected.map(({ reason }) => storable(reason))}::text[],
      ${fields.map(({ eventId }) => eventId)}::uuid[], ${fields.map(({ appKey }) => appKey)}::text[],
      ${fields.map(({ occurredAt }) => occurredAt)}::timestamptz[]
    ) as made (digest, event, reason, event_id, app_key, occurred_at)
    on conflict do nothing returning id`.execute(db)
  return rows.length
}

/** Something in quarantine. `event` is JSON text; `whole` where it is a job rather than an event. */
export type Quarantined = {
  readonly id: number
  readonly jobId: string
  readonly event: string
  readonly whole: boolean
  readonly reason: string
  readonly appKey: string | null
  readonly createdAt: Date
}

export type QuarantineFilter = { readonly reason?: string | undefined; readonly appKey?: string | undefined }

/** The newest first, from before the one with the id `before`. */
export async function selectQuarantine(db: Db, filter: QuarantineFilter, before: number | null, most: number): Promise<Quarantined[]> {
  let query = db.selectFrom('quarantine').selectAll()
  const { reason, appKey } = filter
  if (reason !== undefined) query = query.where(sql<boolean>`strpos(lower(reason), lower(${reason})) > 0`)
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  if (before !== null) query = query.where('id', '<', String(before))
  return (await query.orderBy('id', 'desc').limit(most).execute()).map(quarantinedOf)
}

/** Those with these ids, in any order. */
export async function readQuarantine(db: Db, ids: readonly number[]): Promise<Quarantined[]> {
  return (await db.selectFrom('quarantine').selectAll().where('id', 'in', ids.map(String)).execute()).map(quarantinedOf)
}

export async function deleteQuarantine(db: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql`delete from quarantine where id = any(${ids}::bigint[]) returning id`.execute(db)
  return rows.length
}

export async function renewReasons(db: Db, reasons: ReadonlyMap<number, string>): Promise<void> {
  await sql`
    update quarantine q set reason = made.reason from unnest(${[...reasons.keys()]}::bigint[], ${[...reasons.values()].map(storable)}::text[]) as made (id, reason)
    where q.id = made.id`.execute(db)
}

/** Deletes up to `most` of those that have been there since before a time. Gives their number. */
export async function deleteOldQuarantine(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql`
    delete from quarantine where id in (select id from quarantine where created_at < ${before} order by id limit ${most} for update skip locked)
    returning id`.execute(db)
  return rows.length
}

export async function countQuarantine(db: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from quarantine`.execute(db)
  return rows[0]?.rows ?? 0
}

function quarantinedOf(row: {
  id: string
  digest: Buffer
  job_id: string
  event: string
  reason: string
  app_key: string | null
  created_at: Date
}): Quarantined {
  const { job_id: jobId, event, reason, app_key: appKey, created_at: createdAt } = row
  return { id: Number(row.id), jobId, event, whole: digestOf(jobId, -1, event).equals(row.digest), reason, appKey, createdAt }
}

/** A reason may quote a name from the event, which may hold NUL, as a text of Postgres may not. */
function storable(reason: string): string {
  return reason.replaceAll('\0', '\\0')
}

function digestOf(jobId: string, position: number, text: string): Buffer {
  return createHash('sha256').update(`${jobId}/${position}/${text}`).digest()
}

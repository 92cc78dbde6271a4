import { createHash } from 'node:crypto'
import { isStorable, isUuid } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The `position` of a job that is rejected as a whole. */
export const WHOLE_JOB = -1

/** An event or a whole job that cannot be counted. `position` is the index among the job's events, or `WHOLE_JOB`. */
export type Rejected = { readonly position: number; readonly event: unknown; readonly reason: string }

/**
 * Stores what could not be counted, and returns the number of new entries. A repeated job adds no entry. An event that was dropped before
 * adds none either.
 */
export async function insertQuarantine(db: Db, jobId: string, rejected: readonly Rejected[]): Promise<number> {
  if (rejected.length === 0) return 0
  const entries = rejected.map(({ position, event, reason }) => {
    const text = JSON.stringify(event ?? null)
    return { digest: digestOf(jobId, position, text), text, reason: escapeNul(reason), ...eventFields(event) }
  })
  const { rows } = await sql<{ id: string }>`
    insert into quarantine (digest, job_id, event, reason, event_id, app_key, occurred_at)
    select digest, ${jobId}, event, reason, event_id, app_key, occurred_at
    from unnest(
      ${entries.map(({ digest }) => digest)}::bytea[], ${entries.map(({ text }) => text)}::text[],
      ${entries.map(({ reason }) => reason)}::text[], ${entries.map(({ eventId }) => eventId)}::uuid[],
      ${entries.map(({ appKey }) => appKey)}::text[], ${entries.map(({ occurredAt }) => occurredAt)}::timestamptz[]
    ) as made (digest, event, reason, event_id, app_key, occurred_at)
    where not exists (select from dropped_event d where d.event_id = made.event_id)
    on conflict do nothing returning id`.execute(db)
  return rows.length
}

/** An entry in quarantine. `event` is JSON text: of an event, or of a whole job if `whole` is true. */
export type Quarantined = {
  readonly id: number
  readonly jobId: string
  readonly event: string
  readonly whole: boolean
  readonly reason: string
  readonly appKey: string | null
  readonly createdAt: Date
}

type QuarantineFilter = { readonly reason?: string | undefined; readonly appKey?: string | undefined }

/** Returns up to `max` entries with ids below `before`, newest first. */
export async function selectQuarantine(db: Db, filter: QuarantineFilter, before: number | null, max: number): Promise<Quarantined[]> {
  let query = db.selectFrom('quarantine').selectAll()
  const { reason, appKey } = filter
  if (reason !== undefined) query = query.where(sql<boolean>`strpos(lower(reason), lower(${reason})) > 0`)
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  if (before !== null) query = query.where('id', '<', String(before))
  return (await query.orderBy('id', 'desc').limit(max).execute()).map(quarantinedOf)
}

export async function readQuarantine(db: Db, ids: readonly number[]): Promise<Quarantined[]> {
  return (await db.selectFrom('quarantine').selectAll().where('id', 'in', ids.map(String)).execute()).map(quarantinedOf)
}

/** Returns why tasks of an application could not be counted, by the id of their event. Those that are not in quarantine are left out. */
export async function findQuarantineReasons(db: Db, appKey: string, eventIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('quarantine')
    .select(['event_id', 'reason'])
    .where(sql<boolean>`event_id = any(${eventIds}::uuid[])`)
    .where('app_key', '=', appKey)
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ event_id, reason }) => [String(event_id), reason]))
}

export async function deleteQuarantine(db: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from quarantine where id = any(${ids}::bigint[])`.execute(db)
}

/** Deletes an entry and notes that its event was dropped. Returns whether there was such an entry. */
export async function dropQuarantine(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    with gone as (
      delete from quarantine where id = ${id} returning event_id, occurred_at
    ), noted as (
      insert into dropped_event (event_id, occurred_at)
      select event_id, occurred_at from gone where event_id is not null and occurred_at is not null
      on conflict do nothing
    )
    select from gone`.execute(db)
  return rows.length > 0
}

export async function updateReasons(db: Db, reasons: ReadonlyMap<number, string>): Promise<void> {
  await sql`
    update quarantine q set reason = made.reason
    from unnest(${[...reasons.keys()]}::bigint[], ${[...reasons.values()].map(escapeNul)}::text[]) as made (id, reason)
    where q.id = made.id`.execute(db)
}

/** Deletes up to `max` entries that were created before a time. Returns their number. */
export async function deleteOldQuarantine(db: Db, before: Date, max: number): Promise<number> {
  const { rows } = await sql`
    delete from quarantine where id in (select id from quarantine where created_at < ${before} order by id limit ${max} for update skip locked)
    returning id`.execute(db)
  return rows.length
}

/** Deletes what `dropQuarantine` noted before a time. Only operators drop events, one by one, so these are few. */
export async function deleteOldDropped(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('dropped_event').where('dropped_at', '<', before).execute()
}

/** Entries are counted up to this number. */
export const MAX_COUNTED = 10_000

export async function countQuarantine(db: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from (select from quarantine limit ${MAX_COUNTED}) counted`.execute(db)
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
  // The position is not stored, but it is part of the digest.
  const whole = digestOf(jobId, WHOLE_JOB, event).equals(row.digest)
  return { id: Number(row.id), jobId, event, whole, reason, appKey, createdAt }
}

/** Replaces NUL, which Postgres cannot store in a text. A reason may quote a name from the event. */
function escapeNul(reason: string): string {
  return reason.replaceAll('\0', '\\0')
}

function digestOf(jobId: string, position: number, text: string): Buffer {
  return createHash('sha256').update(`${jobId}/${position}/${text}`).digest()
}

/** The years 1 to 9999: Postgres and JavaScript write these times in the same way. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z')
const END_TIME = Date.UTC(10_000, 0)

/** Returns the id, App-Key and time of an event that cannot be counted; null where a value is missing or not valid. */
function eventFields(event: unknown): { eventId: string | null; appKey: string | null; occurredAt: Date | null } {
  const { id, app_key: appKey, occurred_at: occurredAt } = (event ?? {}) as Record<string, unknown>
  const time = typeof occurredAt === 'string' ? Date.parse(occurredAt) : Number.NaN
  return {
    eventId: typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null,
    appKey: typeof appKey === 'string' && isStorable(appKey) ? appKey : null,
    occurredAt: time >= FIRST_TIME && time < END_TIME ? new Date(time) : null,
  }
}

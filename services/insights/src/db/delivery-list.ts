import type { DeliveryStatus } from '@onward/contract'
import { sql } from 'kysely'
import { FIRST_ID } from './deliveries.ts'
import type { Db } from './tables.ts'
import type { UserKey } from './users.ts'

/** Maximum number of listed attempts: a delivery that is replayed often can have any number. */
const MAX_ATTEMPTS = 50
/** Deliveries are counted up to this number: counting all of a large subscription would take seconds. */
const MAX_COUNTED = 10_000

/** Maximum number of listed notices. Limits that are raised and lowered again announce the same levels many times. */
const MAX_NOTICES = 200

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const HAS_STATUS = {
  pending: sql<boolean>`delivered_at is null and failed_at is null`,
  delivered: sql<boolean>`delivered_at is not null`,
  failed: sql<boolean>`failed_at is not null`,
} as const satisfies Record<DeliveryStatus, unknown>

export type ListedDelivery = {
  readonly id: string
  readonly subscriptionId: string
  readonly kind: string
  readonly userId: string
  /** Null for test deliveries. */
  readonly appKey: string | null
  readonly nextAttemptAt: Date
  readonly deliveredAt: Date | null
  readonly failedAt: Date | null
  readonly failedReason: string | null
  readonly createdAt: Date
  readonly payload: string
}

export type ListedAttempt = {
  readonly deliveryId: string
  readonly number: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
  readonly response: string | null
}

/** Selects deliveries by their properties. UUIDv7 ids sort by time. */
export type DeliveryFilter = {
  readonly status?: DeliveryStatus | undefined
  readonly appKey?: string | undefined
  readonly userId?: string | undefined
  /** The first id that is selected. */
  readonly from?: string
  /** The id before which those that are selected end; null for none. */
  readonly before: string | null
}

function deliveries(db: Db) {
  return db
    .selectFrom('delivery')
    .select([
      'id',
      'subscription_id as subscriptionId',
      'kind',
      'user_id as userId',
      'app_key as appKey',
      'next_attempt_at as nextAttemptAt',
      'delivered_at as deliveredAt',
      'failed_at as failedAt',
      'failed_reason as failedReason',
      'created_at as createdAt',
      'payload',
    ])
}

/** Returns deliveries of a subscription, newest first. */
export async function pageDeliveries(db: Db, subscriptionId: string, filter: DeliveryFilter, max: number): Promise<ListedDelivery[]> {
  const { status, appKey, userId, from = FIRST_ID, before } = filter
  let query = deliveries(db)
  if (status !== undefined) query = query.where(HAS_STATUS[status])
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  // The row comparison and the order make Postgres read an index (subscription_id, id) backwards. With an equality instead, it might scan the
  // primary key of all deliveries.
  return await query
    .where(sql<boolean>`(subscription_id, id) >= (${subscriptionId}::uuid, ${from}::uuid)`)
    .where(sql<boolean>`(subscription_id, id) < (${subscriptionId}::uuid, ${before ?? LAST_ID}::uuid)`)
    .orderBy('subscription_id', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
}

/** Returns those of the deliveries that belong to subscriptions of the workspace. */
export async function findDeliveries(db: Db, workspaceId: string, ids: readonly string[]): Promise<ListedDelivery[]> {
  const own = db.selectFrom('subscription').select('id').where('workspace_id', '=', workspaceId)
  return await deliveries(db)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('subscription_id', 'in', own)
    .orderBy('id', 'desc')
    .execute()
}

/** Returns the newest attempts of each delivery, oldest first, numbered from 1 without gaps. */
export async function listAttempts(db: Db, deliveryIds: readonly string[]): Promise<Map<string, ListedAttempt[]>> {
  const { rows } = await sql<ListedAttempt>`
    select asked.id as "deliveryId", made.number::int, made.started_at as "startedAt", made.duration_ms as "durationMs", made.status, made.failure, made.response
    from unnest(${deliveryIds}::uuid[]) asked (id)
    cross join lateral (
      select row_number() over (order by a.number, a.started_at) as number, a.started_at, a.duration_ms, a.status, a.failure, a.response
      from delivery_attempt a where a.delivery_id = asked.id order by 1 desc limit ${MAX_ATTEMPTS}
    ) made
    order by made.number`.execute(db)
  return new Map(deliveryIds.map((id) => [id, rows.filter((row) => row.deliveryId === id)]))
}

/** Returns the number of deliveries of a subscription in each status, counted up to 10,000. */
export async function countDeliveries(db: Db, subscriptionId: string): Promise<Record<DeliveryStatus, number>> {
  const count = (status: DeliveryStatus) => sql`(select count(*)::int from (
    select from delivery where subscription_id = ${subscriptionId} and ${HAS_STATUS[status]} limit ${MAX_COUNTED}) counted)`
  const { rows } = await sql<Record<DeliveryStatus, number>>`
    select ${count('pending')} as pending, ${count('delivered')} as delivered, ${count('failed')} as failed`.execute(db)
  return rows[0] ?? { pending: 0, delivered: 0, failed: 0 }
}

/** A level that was announced: the webhook kind, the time, and the deliveries of it, those that failed first. */
export type Notice = {
  readonly kind: string
  readonly at: Date
  readonly deliveries: readonly { readonly delivery_id: string; readonly status: DeliveryStatus }[]
}

/** Returns the notices about a user's period to the subscriptions of a workspace, newest first. */
export async function listNotices(db: Db, workspaceId: string, { appKey, userId }: UserKey, periodStart: Date): Promise<Notice[]> {
  const status = sql`case when ${HAS_STATUS.failed} then 'failed' when ${HAS_STATUS.delivered} then 'delivered' else 'pending' end`
  // Through the subscriptions, because the unique index of deliveries begins with them.
  const { rows } = await sql<Notice>`
    select d.kind, min(d.created_at) as at,
      json_agg(json_build_object('delivery_id', d.id, 'status', ${status}) order by d.failed_at, d.id) as deliveries
    from subscription s join delivery d
      on d.subscription_id = s.id and d.app_key = ${appKey} and d.user_id = ${userId} and d.period_start = ${periodStart}
    where s.workspace_id = ${workspaceId}
    group by d.kind, d.times_lowered order by at desc, d.kind desc limit ${MAX_NOTICES}`.execute(db)
  return rows
}

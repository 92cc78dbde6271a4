import type { DeliveryStatus } from '@onward/contract'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Of a delivery that was replayed for ever, the newest attempts are enough. */
const ATTEMPTS_LISTED = 50
/** Counting every delivery of a large subscription would take seconds. */
const COUNTED = 10_000

const FIRST = '00000000-0000-0000-0000-000000000000'
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const IS = {
  pending: sql<boolean>`delivered_at is null and failed_at is null`,
  delivered: sql<boolean>`delivered_at is not null`,
  failed: sql<boolean>`failed_at is not null`,
} as const satisfies Record<DeliveryStatus, unknown>

export type ListedDelivery = {
  readonly id: string
  readonly eventName: string
  readonly userId: string
  /** Null in a test. */
  readonly appKey: string | null
  readonly nextAttemptAt: Date
  readonly deliveredAt: Date | null
  readonly failedAt: Date | null
  /** Why it was given up. */
  readonly failedReason: string | null
  readonly createdAt: Date
  readonly body: string
}

export type ListedAttempt = {
  readonly deliveryId: string
  readonly number: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
}

/** A page of a subscription's deliveries, newest first, from before the delivery `before`. Ids are UUIDv7: their order is that of time. */
export async function pageDeliveries(
  db: Db,
  subscriptionId: string,
  status: DeliveryStatus | undefined,
  before: string | null,
  most: number,
): Promise<ListedDelivery[]> {
  let query = db
    .selectFrom('delivery')
    .select([
      'id',
      'event_name as eventName',
      'user_id as userId',
      'app_key as appKey',
      'next_attempt_at as nextAttemptAt',
      'delivered_at as deliveredAt',
      'failed_at as failedAt',
      'failed_reason as failedReason',
      'created_at as createdAt',
      'body',
    ])
  if (status !== undefined) query = query.where(IS[status])
  // Pending ones are few: in an order that no index has, they are found first and then sorted. The others are read backwards in an
  // index of their subscription's; with an equality, Postgres might go through those of all subscriptions instead.
  const last = before ?? LAST
  return status === 'pending'
    ? await query
        .where('subscription_id', '=', subscriptionId)
        .where('id', '<', last)
        .orderBy(sql`id::text collate "C"`, 'desc')
        .limit(most)
        .execute()
    : await query
        .where(sql<boolean>`(subscription_id, id) >= (${subscriptionId}::uuid, ${FIRST}::uuid)`)
        .where(sql<boolean>`(subscription_id, id) < (${subscriptionId}::uuid, ${last}::uuid)`)
        .orderBy('subscription_id', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
}

/** The newest attempts at each of these deliveries, oldest first, numbered as they were made. */
export async function attemptsAt(db: Db, deliveryIds: readonly string[]): Promise<Map<string, ListedAttempt[]>> {
  const { rows } = await sql<ListedAttempt>`
    select asked.id as "deliveryId", made.number::int, made.started_at as "startedAt", made.duration_ms as "durationMs", made.status, made.failure
    from unnest(${deliveryIds}::uuid[]) asked (id)
    cross join lateral (
      select row_number() over (order by a.number, a.started_at) as number, a.started_at, a.duration_ms, a.status, a.failure
      from delivery_attempt a where a.delivery_id = asked.id order by 1 desc limit ${ATTEMPTS_LISTED}
    ) made
    order by made.number`.execute(db)
  return new Map(deliveryIds.map((id) => [id, rows.filter((row) => row.deliveryId === id)]))
}

/** How many deliveries of a subscription there are in each state, counted up to 10 000. */
export async function countDeliveries(db: Db, subscriptionId: string): Promise<Record<DeliveryStatus, number>> {
  const count = (status: DeliveryStatus) => sql`(select count(*)::int from (
    select from delivery where subscription_id = ${subscriptionId} and ${IS[status]} limit ${COUNTED}) counted)`
  const { rows } = await sql<Record<DeliveryStatus, number>>`
    select ${count('pending')} as pending, ${count('delivered')} as delivered, ${count('failed')} as failed`.execute(db)
  return rows[0] ?? { pending: 0, delivered: 0, failed: 0 }
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

export type Subscription = {
  readonly id: string
  readonly events: readonly string[]
  readonly callbackUrl: string
  readonly createdAt: Date
  readonly failingSince: Date | null
  readonly disabledAt: Date | null
  readonly disabledReason: string | null
  readonly secretRotatedAt: Date | null
  /** Null when deliveries are signed with one secret only. */
  readonly previousValidUntil: Date | null
}

function subscriptions(db: Db, partnerId: string) {
  return db
    .selectFrom('subscription')
    .select([
      'id',
      'events',
      'callback_url as callbackUrl',
      'created_at as createdAt',
      'failing_since as failingSince',
      'disabled_at as disabledAt',
      'disabled_reason as disabledReason',
      'secret_rotated_at as secretRotatedAt',
      sql<Date | null>`case when previous_valid_until > now() then previous_valid_until end`.as('previousValidUntil'),
    ])
    .where('partner_id', '=', partnerId)
}

export async function findSubscription(db: Db, partnerId: string, id: string): Promise<Subscription | undefined> {
  return await subscriptions(db, partnerId).where('id', '=', id).executeTakeFirst()
}

/** Finds a partner's subscription and keeps it from being disabled, enabled or deleted until the transaction ends. */
export async function shareSubscription(tx: Db, partnerId: string, id: string): Promise<Subscription | undefined> {
  return await subscriptions(tx, partnerId).where('id', '=', id).forShare().executeTakeFirst()
}

/** Where a page ends: the last one's time of creation in microseconds, which a Date does not hold, and its id. */
export type SubscriptionKey = { readonly createdMicros: string; readonly id: string }

/** A page of a partner's subscriptions, newest first, from behind `after`. */
export async function pageSubscriptions(
  db: Db,
  partnerId: string,
  after: SubscriptionKey | null,
  most: number,
): Promise<(Subscription & SubscriptionKey)[]> {
  let query = subscriptions(db, partnerId).select(sql<string>`(extract(epoch from created_at) * 1000000)::bigint`.as('createdMicros'))
  if (after !== null) {
    const created = sql`timestamptz 'epoch' + ${after.createdMicros}::bigint * interval '1 microsecond'`
    query = query.where(sql<boolean>`(created_at, id) < (${created}, ${after.id}::uuid)`)
  }
  return await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(most).execute()
}

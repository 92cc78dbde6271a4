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
  /** Until this time, deliveries are signed with the previous secret too. Null: there is no valid previous secret. */
  readonly previousValidUntil: Date | null
}

function subscriptions(db: Db, workspaceId: string) {
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
    .where('workspace_id', '=', workspaceId)
}

export async function findSubscription(db: Db, workspaceId: string, id: string): Promise<Subscription | undefined> {
  return await subscriptions(db, workspaceId).where('id', '=', id).executeTakeFirst()
}

/** Returns a subscription and takes a share lock on it: until the transaction ends, it cannot be disabled, enabled or deleted. */
export async function shareSubscription(tx: Db, workspaceId: string, id: string): Promise<Subscription | undefined> {
  return await subscriptions(tx, workspaceId).where('id', '=', id).forShare().executeTakeFirst()
}

/** Sort key of a page's last subscription: its creation time in microseconds (a Date has only milliseconds) and its id. */
export type SubscriptionKey = { readonly createdMicros: string; readonly id: string }

/** Returns a page of the workspace's subscriptions after the given key, newest first, without listeners. */
export async function pageSubscriptions(
  db: Db,
  workspaceId: string,
  after: SubscriptionKey | null,
  max: number,
): Promise<(Subscription & SubscriptionKey)[]> {
  let query = subscriptions(db, workspaceId)
    .where('listener_until', 'is', null)
    .select(sql<string>`(extract(epoch from created_at) * 1000000)::bigint`.as('createdMicros'))
  if (after !== null) {
    const created = sql`timestamptz 'epoch' + ${after.createdMicros}::bigint * interval '1 microsecond'`
    query = query.where(sql<boolean>`(created_at, id) < (${created}, ${after.id}::uuid)`)
  }
  return await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(max).execute()
}

/** Returns subscriptions of a workspace that fail or are disabled, newest first, without listeners. */
export async function listFailing(db: Db, workspaceId: string, max: number): Promise<Subscription[]> {
  return await subscriptions(db, workspaceId)
    .where('listener_until', 'is', null)
    .where((where) => where.or([where('failing_since', 'is not', null), where('disabled_at', 'is not', null)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
    .execute()
}

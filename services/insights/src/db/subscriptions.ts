import { sql } from 'kysely'
import type { Db } from './tables.ts'

type NewSubscription = {
  readonly id: string
  readonly workspaceId: string
  readonly events: readonly string[]
  readonly callbackUrl: string
  readonly sealedSecret: Buffer
  /** How long a listener waits for its first request; undefined for a subscription with a callback URL. */
  readonly listenerMs?: number
}

type SubscriptionCounts = { readonly stored: number; readonly subscriptions: number; readonly kinds: number }

/**
 * Returns the numbers of subscriptions of a workspace, of active subscriptions, and of webhook kinds in the active subscriptions together.
 */
export async function countSubscriptions(db: Db, workspaceId: string): Promise<SubscriptionCounts> {
  const active = sql`filter (where disabled_at is null)`
  const { rows } = await sql<SubscriptionCounts>`
    select count(*)::int as stored, count(*) ${active}::int as subscriptions, coalesce(sum(cardinality(events)) ${active}, 0)::int as kinds
    from subscription where workspace_id = ${workspaceId} and listener_until is null`.execute(db)
  return rows[0] ?? { stored: 0, subscriptions: 0, kinds: 0 }
}

/** Inserts a subscription. It receives no webhooks of earlier limit changes. The caller must hold the workspace's lock. */
export async function insertSubscription(db: Db, made: NewSubscription): Promise<void> {
  await db
    .insertInto('subscription')
    .values({
      id: made.id,
      workspace_id: made.workspaceId,
      events: [...made.events],
      callback_url: made.callbackUrl,
      sealed_secret: made.sealedSecret,
      listener_until: made.listenerMs === undefined ? null : inFuture(made.listenerMs),
      active_after_seq: sql<string>`(select limit_seq from workspace where id = ${made.workspaceId})`,
    })
    .execute()
}

/**
 * Replaces the events and the callback URL of a subscription. A new URL has not failed yet. Returns false when there is no such subscription,
 * or it is a listener, which has no callback URL.
 */
export async function changeSubscription(
  tx: Db,
  id: string,
  { events, callback_url }: { readonly events: readonly string[]; readonly callback_url: string },
): Promise<boolean> {
  const changed = await tx
    .updateTable('subscription')
    .set({
      events: [...events],
      callback_url,
      failing_since: sql<Date | null>`case when callback_url = ${callback_url} then failing_since end`,
    })
    .where('id', '=', id)
    .where('listener_until', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

function inFuture(ms: number) {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`
}

/** Keeps a listener of a workspace for `ms` more. Returns the new time of expiry; undefined if it does not exist or has expired. */
export async function keepListener(db: Db, workspaceId: string, id: string, ms: number): Promise<Date | undefined> {
  const row = await db
    .updateTable('subscription')
    .set({ listener_until: inFuture(ms) })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('listener_until', '>', sql<Date>`now()`)
    .returning('listener_until')
    .executeTakeFirst()
  return row?.listener_until ?? undefined
}

export async function countListeners(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from subscription where workspace_id = ${workspaceId} and listener_until > now()`.execute(db)
  return rows[0]?.rows ?? 0
}

/** Deletes the listeners that have expired. `failInactive` marks their pending deliveries as failed. A workspace has at most five. */
export async function deleteExpiredListeners(db: Db): Promise<void> {
  await db.deleteFrom('subscription').where('listener_until', '<', sql<Date>`now()`).execute()
}

/**
 * Deletes a subscription. From then on, its deliveries are not claimed, and `failInactive` marks the pending ones as failed. Returns false
 * when the workspace has no such subscription.
 */
export async function deleteSubscription(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom('subscription').where('id', '=', id).where('workspace_id', '=', workspaceId).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/**
 * Disables subscriptions. From then on, their deliveries are not claimed, and `failInactive` marks the pending ones as failed. With
 * several subscriptions, the caller must hold their locks.
 */
export async function disableSubscriptions(tx: Db, ids: readonly string[], reason: string): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('subscription')
    .set({ disabled_at: sql<Date>`now()`, disabled_reason: reason })
    .where('id', 'in', ids)
    .where('disabled_at', 'is', null)
    .execute()
}

/**
 * Enables a disabled subscription. It receives no webhooks for levels that were reached while it was disabled. Deliveries that are still
 * pending are sent; failed deliveries stay failed. The caller must hold the workspace's lock.
 */
export async function enableSubscription(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      active_after_seq: sql<string>`(select limit_seq from workspace where workspace.id = subscription.workspace_id)`,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Replaces the secret of a subscription; the previous one stays valid for `hours`. If the previous secret of an earlier rotation is still
 * valid, it stays the previous one, at most until its own end. Then the current secret becomes invalid at once, because the response that
 * contained it may have been lost. Returns the end of the previous secret, or undefined when the subscription does not exist.
 */
export async function rotateSecret(db: Db, id: string, sealedSecret: Buffer, hours: number): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    update subscription set
      sealed_secret = ${sealedSecret}, secret_rotated_at = now(),
      previous_sealed_secret = case when previous_valid_until > now() then previous_sealed_secret else sealed_secret end,
      previous_valid_until = least(
        case when previous_valid_until > now() then previous_valid_until end, now() + ${hours}::float8 * interval '1 hour')
    where id = ${id}
    returning previous_valid_until as until`.execute(db)
  return rows[0]?.until
}

export async function countDisabled(db: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from subscription where disabled_at is not null`.execute(db)
  return rows[0]?.rows ?? 0
}

/** Subscriptions by the result of their attempts. One with successes and failures counts as successful. */
type Health = { readonly succeeded: readonly string[]; readonly failed: readonly string[]; readonly gone: readonly string[] }

/**
 * Records since when all attempts of a subscription have failed. Returns the subscriptions whose attempts have failed for `failingForMs` or
 * longer. Locks only rows that change and the rows of `gone`, in the order of ids; most rows do not change.
 */
export async function recordHealth(tx: Db, { succeeded, failed, gone }: Health, failingForMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string; too_long: boolean | null }>`
    with locked as (
      select id, id = any(${succeeded}::uuid[]) as has_succeeded from subscription
      where id = any(${[...succeeded, ...failed, ...gone]}::uuid[]) and disabled_at is null
        and case
          when id = any(${gone}::uuid[]) then true
          when id = any(${succeeded}::uuid[]) then failing_since is not null
          else failing_since is null or failing_since <= now() - ${failingForMs}::float8 * interval '1 millisecond'
        end
      order by id for update
    )
    update subscription s set failing_since = case when not locked.has_succeeded then coalesce(s.failing_since, now()) end
    from locked where s.id = locked.id
    returning s.id, s.failing_since <= now() - ${failingForMs}::float8 * interval '1 millisecond' as too_long`.execute(tx)
  return rows.filter((row) => row.too_long).map((row) => row.id)
}

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

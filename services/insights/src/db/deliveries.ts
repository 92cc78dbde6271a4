import type { DeliveryStatus } from '@onward/contract'
import { firstUuidAt, type UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The level of a period that a delivery announces. A subscription gets one delivery for each user and `ReachedLevel`. */
type ReachedLevel = { readonly periodStart: Date; readonly level: number; readonly timesLowered: number }

/** One webhook for one subscription. The payload is final: every attempt sends the same bytes. */
export type NewDelivery = {
  readonly id: string
  readonly subscriptionId: string
  readonly kind: string
  readonly payload: string
  /** Null for test deliveries. Empty for an event about all users of a workspace; `userId` is then empty too. */
  readonly appKey: string | null
  readonly userId: string
  /** Null for kinds that announce no level. */
  readonly reached: ReachedLevel | null
  /** The `traceparent` of the task that reached the level, if it belongs to a trace. */
  readonly trace?: string | undefined
}

/** A webhook kind with the active subscriptions of a workspace to it. */
type SubscribedKind = { readonly workspaceId: string; readonly kind: string; readonly subscriptionIds: readonly string[] }

/**
 * Returns the subscribed webhook kinds of workspaces. `limitSeqs` holds a `limit_seq` for each workspace: subscriptions that were created
 * or enabled after that change of limits are left out.
 */
export async function readSubscribedKinds(db: Db, limitSeqs: ReadonlyMap<string, number>): Promise<SubscribedKind[]> {
  const { rows } = await sql<{ workspace_id: string; kind: string; ids: string[] }>`
    select s.workspace_id, kind, array_agg(s.id) as ids
    from unnest(${[...limitSeqs.keys()]}::text[], ${[...limitSeqs.values()]}::bigint[]) as given (workspace_id, seq)
    join subscription s on s.workspace_id = given.workspace_id and s.disabled_at is null and s.active_after_seq <= given.seq
      and (s.listener_until is null or s.listener_until > now())
    cross join unnest(s.events) as kind
    group by s.workspace_id, kind`.execute(db)
  return rows.map((row) => ({ workspaceId: row.workspace_id, kind: row.kind, subscriptionIds: row.ids }))
}

/** Deliveries that are due are counted up to this number, in `measureDeliveries`. */
export const MAX_DUE = 20_000
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Maximum size of one insert. It limits the memory in use, however many deliveries there are. */
const CHUNK = { rows: 2_000, characters: 4_000_000 }

/**
 * Stores deliveries, except for levels that were already announced to the subscription. Returns the ids of the subscriptions that have new
 * deliveries.
 */
export async function insertDeliveries(tx: Db, deliveries: Iterable<NewDelivery>): Promise<string[]> {
  const subscriptionIds = new Set<string>()
  for (const chunk of chunksOf(deliveries)) for (const id of await insertChunk(tx, chunk)) subscriptionIds.add(id)
  return [...subscriptionIds]
}

function* chunksOf(deliveries: Iterable<NewDelivery>): Generator<NewDelivery[]> {
  let chunk: NewDelivery[] = []
  let characters = 0
  for (const delivery of deliveries) {
    chunk.push(delivery)
    characters += delivery.payload.length
    if (chunk.length < CHUNK.rows && characters < CHUNK.characters) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}

async function insertChunk(tx: Db, chunk: readonly NewDelivery[]): Promise<string[]> {
  const { rows } = await sql<{ subscription_id: string }>`
    insert into delivery (id, subscription_id, kind, payload, app_key, user_id, period_start, level, times_lowered, trace)
    select * from unnest(
      ${chunk.map((each) => each.id)}::uuid[], ${chunk.map((each) => each.subscriptionId)}::uuid[],
      ${chunk.map((each) => each.kind)}::text[], ${chunk.map((each) => each.payload)}::text[],
      ${chunk.map((each) => each.appKey)}::text[], ${chunk.map((each) => each.userId)}::text[],
      ${chunk.map((each) => each.reached?.periodStart ?? null)}::timestamptz[],
      ${chunk.map((each) => each.reached?.level ?? null)}::int[], ${chunk.map((each) => each.reached?.timesLowered ?? null)}::int[],
      ${chunk.map((each) => each.trace ?? null)}::text[]
    )
    on conflict do nothing returning subscription_id`.execute(tx)
  return rows.map((row) => row.subscription_id)
}

/**
 * Marks up to `max` pending deliveries of a disabled or deleted subscription as failed, and stores the reason. Returns their number; 0 when
 * the subscription is active. Skips rows that another transaction has locked.
 */
export async function failPending(db: Db, subscriptionId: string, max: number): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    // The lock makes a request that enables the subscription wait: its later deliveries must not be marked as failed.
    const subscription = await tx
      .selectFrom('subscription')
      .select(['disabled_at', 'disabled_reason'])
      .where('id', '=', subscriptionId)
      .forShare()
      .executeTakeFirst()
    if (subscription !== undefined && subscription.disabled_at === null) return 0
    const reason =
      subscription === undefined ? 'the subscription was deleted' : `the subscription was disabled: ${subscription.disabled_reason}`
    // In the order of the index `delivery_next`, so that each page reads only its own rows.
    const { numAffectedRows = 0n } = await sql`
      with pending as (
        select id from delivery where subscription_id = ${subscriptionId} and delivered_at is null and failed_at is null
        order by next_attempt_at limit ${max} for update skip locked
      )
      update delivery d set failed_at = now(), failed_reason = ${reason} from pending where d.id = pending.id`.execute(tx)
    return Number(numAffectedRows)
  })
}

/** Returns the id of a delivery's subscription, or undefined when the workspace has no such delivery or has deleted its subscription. */
export async function findSubscriptionId(db: Db, workspaceId: string, deliveryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('delivery')
    .innerJoin('subscription', 'subscription.id', 'delivery.subscription_id')
    .select('subscription.id')
    .where('delivery.id', '=', deliveryId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.id
}

/** Returns the number of attempts before the last replay of a delivery; undefined if the subscription has no such delivery. */
export async function findScheduleStart(db: Db, subscriptionId: string, deliveryId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('delivery')
    .select('schedule_start')
    .where('id', '=', deliveryId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
  return row?.schedule_start
}

/**
 * Locks the given deliveries that have failed and whose subscription is active and belongs to the workspace. Until the transaction ends,
 * these subscriptions cannot be disabled. Locks rows of subscriptions before rows of deliveries, each in the order of ids.
 */
export async function lockFailed(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly subscriptionId: string }[]> {
  const { rows } = await sql<{ id: string; subscriptionId: string }>`
    with active as materialized (
      select id from subscription
      where id in (select subscription_id from delivery where id = any(${ids}::uuid[])) and workspace_id = ${workspaceId}
        and disabled_at is null and (listener_until is null or listener_until > now())
      order by id for share
    )
    select id, subscription_id as "subscriptionId" from delivery
    where id = any(${ids}::uuid[]) and failed_at is not null and subscription_id in (select id from active)
    order by id for update`.execute(tx)
  return rows
}

/**
 * Makes deliveries due now, whatever their status is, and restarts their retry schedules. Skips one attempt number, so that a failure of an
 * attempt that is still in flight is ignored.
 */
export async function replayDeliveries(tx: Db, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({
      attempts: sql<number>`attempts + 1`,
      schedule_start: sql<number>`attempts + 1`,
      next_attempt_at: sql<Date>`now()`,
      claimed_until: null,
      delivered_at: null,
      failed_at: null,
      failed_reason: null,
    })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/** Makes up to `max` pending deliveries of a subscription due now that wait for a later attempt. Returns their number. */
export async function hastenDeliveries(db: Db, subscriptionId: string, max: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with waiting as (
      select id from delivery
      where subscription_id = ${subscriptionId} and delivered_at is null and failed_at is null and next_attempt_at > now()
        and (claimed_until is null or claimed_until < now())
      order by next_attempt_at limit ${max} for update skip locked
    )
    update delivery d set next_attempt_at = now() from waiting where d.id = waiting.id`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes up to `max` finished deliveries that were created and finished before a time, with their attempts. Returns their number. */
export async function deleteOldDeliveries(db: Db, before: Date, max: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select id from delivery
      where id < ${firstUuidAt(before)}::uuid and (delivered_at is not null or failed_at is not null)
        and coalesce(delivered_at, failed_at) < ${before}
      order by id limit ${max} for update skip locked
    ), attempts as (
      delete from delivery_attempt a using old where a.delivery_id = old.id
    )
    delete from delivery d using old where d.id = old.id returning d.id`.execute(db)
  return rows.length
}

/**
 * Table expression `pending (id)`: the subscriptions with pending deliveries after the given id, in the order of ids. Ends with null. The
 * cost does not depend on the number of deliveries of a subscription.
 */
function pendingSubscriptions(after: string) {
  return sql`pending(id) as (
    (select subscription_id from delivery where delivered_at is null and failed_at is null and subscription_id > ${after}
      order by subscription_id limit 1)
    union all
    select (select d.subscription_id from delivery d
      where d.delivered_at is null and d.failed_at is null and d.subscription_id > pending.id order by d.subscription_id limit 1)
    from pending where pending.id is not null
  )`
}

/** Returns up to `max` subscriptions with pending deliveries after the given id, in the order of ids. */
export async function listPendingSubscriptions(db: Db, after: string, max: number): Promise<string[]> {
  // Without `order by`, which would read all later subscriptions first. Postgres evaluates a recursion only as far as `limit` needs.
  const { rows } = await sql<{ id: string }>`
    with recursive ${pendingSubscriptions(after)}
    select id from pending where id is not null limit ${max}`.execute(db)
  return rows.map(({ id }) => id)
}

/** SQL condition: a delivery is due and not claimed. Reads the index `delivery_next` from the oldest. */
const DUE = sql`delivered_at is null and failed_at is null and next_attempt_at <= now() and (claimed_until is null or claimed_until < now())`

/**
 * Returns how many deliveries are due and not claimed, counted up to `MAX_DUE`, and for how many seconds the oldest of them has been due.
 */
export async function measureDeliveries(db: Db): Promise<{ due: number; oldestSeconds: number }> {
  const { rows } = await sql<{ due: number; oldestSeconds: number }>`
    with recursive ${pendingSubscriptions(FIRST_ID)}
    select
      (select count(*)::int from (
        select from pending cross join lateral (
          select from delivery where subscription_id = pending.id and ${DUE} limit ${MAX_DUE}
        ) each limit ${MAX_DUE}
      ) counted) as due,
      (select coalesce(extract(epoch from now() - min(oldest.next_attempt_at)), 0)::float8 from pending cross join lateral (
        select next_attempt_at from delivery where subscription_id = pending.id and ${DUE} order by next_attempt_at limit 1
      ) oldest) as "oldestSeconds"`.execute(db)
  return rows[0] ?? { due: 0, oldestSeconds: 0 }
}

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
  /** As in `NewDelivery`. */
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
type DeliveryFilter = {
  readonly status?: DeliveryStatus | undefined
  readonly appKey?: string | undefined
  readonly userId?: string | undefined
  /** The first id that is selected. */
  readonly from?: string
  /** Selects only deliveries with lower ids; null for no limit. */
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

/**
 * Returns deliveries of a subscription, newest first.
 * With `status=delivered` it reads the newer failed deliveries too: a second a million, so it runs on `slowDb`.
 */
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

/** Returns the given deliveries that belong to subscriptions of the workspace. */
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

/** A level that was announced: the webhook kind, the time, and its deliveries, failed deliveries first. */
type Notice = {
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

import { firstUuidAt } from '@onward/runtime'
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
  /** Null for test deliveries. */
  readonly appKey: string | null
  readonly userId: string
  /** Null for kinds that announce no level. */
  readonly reached: ReachedLevel | null
}

/** A webhook kind with the active subscriptions of a workspace to it. */
export type SubscribedKind = { readonly workspaceId: string; readonly kind: string; readonly subscriptionIds: readonly string[] }

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
 * Stores deliveries, except those of a level that was already announced to the subscription. Returns the ids of the subscriptions that have
 * new deliveries.
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
    insert into delivery (id, subscription_id, kind, payload, app_key, user_id, period_start, level, times_lowered)
    select * from unnest(
      ${chunk.map((each) => each.id)}::uuid[], ${chunk.map((each) => each.subscriptionId)}::uuid[],
      ${chunk.map((each) => each.kind)}::text[], ${chunk.map((each) => each.payload)}::text[],
      ${chunk.map((each) => each.appKey)}::text[], ${chunk.map((each) => each.userId)}::text[],
      ${chunk.map((each) => each.reached?.periodStart ?? null)}::timestamptz[],
      ${chunk.map((each) => each.reached?.level ?? null)}::int[], ${chunk.map((each) => each.reached?.timesLowered ?? null)}::int[]
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
 * Locks those of the deliveries that have failed and whose subscription is active and belongs to the workspace. Until the transaction ends,
 * these subscriptions cannot be disabled. Locks rows of subscriptions before those of deliveries, each in the order of ids.
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

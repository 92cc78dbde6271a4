import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** One event for one subscription. The body is frozen here: every attempt sends the same bytes. */
export type NewDelivery = {
  readonly id: string
  readonly subscriptionId: string
  readonly appKey: string
  readonly userId: string
  readonly periodStart: Date
  readonly level: number
  readonly armSeq: number
  readonly eventName: string
  readonly body: string
}

/** Stores deliveries, and gives the ids of those that were not told before. */
export async function insertDeliveries(tx: Db, made: readonly NewDelivery[]): Promise<string[]> {
  if (made.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    insert into delivery (id, subscription_id, app_key, user_id, period_start, level, arm_seq, event_name, body)
    select * from unnest(
      ${made.map((each) => each.id)}::uuid[], ${made.map((each) => each.subscriptionId)}::uuid[],
      ${made.map((each) => each.appKey)}::text[], ${made.map((each) => each.userId)}::text[],
      ${made.map((each) => each.periodStart)}::timestamptz[], ${made.map((each) => each.level)}::int[],
      ${made.map((each) => each.armSeq)}::int[], ${made.map((each) => each.eventName)}::text[], ${made.map((each) => each.body)}::text[]
    )
    on conflict do nothing returning id`.execute(tx)
  return rows.map((row) => row.id)
}

export type Claimed = {
  readonly id: string
  readonly subscriptionId: string
  readonly attempt: number
  readonly eventName: string
  readonly body: string
  readonly callbackUrl: string
  readonly sealedSecret: Buffer
}

type ClaimedRow = {
  id: string
  subscription_id: string
  event_name: string
  body: string
  callback_url: string
  sealed_secret: Buffer
}

/**
 * Takes a delivery for its attempt number `attempt`, for `claimMs`. Undefined when that attempt was made or is being made,
 * or when the subscription is gone. A second of grace: the queue's clock may be ahead of the database's.
 */
export async function claimDelivery(db: Db, id: string, attempt: number, claimMs: number): Promise<Claimed | undefined> {
  const { rows } = await sql<ClaimedRow>`
    update delivery d set claimed_until = now() + ${claimMs}::float8 * interval '1 millisecond'
    from subscription s
    where d.id = ${id} and d.attempts = ${attempt - 1} and d.delivered_at is null and d.failed_at is null
      and d.next_attempt_at <= now() + interval '1 second' and (d.claimed_until is null or d.claimed_until < now())
      and s.id = d.subscription_id and s.disabled_at is null
    returning d.id, d.subscription_id, d.event_name, d.body, s.callback_url, s.sealed_secret`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    attempt,
    eventName: row.event_name,
    body: row.body,
    callbackUrl: row.callback_url,
    sealedSecret: row.sealed_secret,
  }
}

export async function markDelivered(tx: Db, id: string, attempt: number): Promise<void> {
  await sql`
    update delivery set delivered_at = now(), attempts = greatest(attempts, ${attempt}), claimed_until = null, failed_at = null
    where id = ${id} and delivered_at is null`.execute(tx)
}

/** Sets the time of the next attempt; false when another process has recorded this attempt. */
export async function markRetry(tx: Db, id: string, attempt: number, delayMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update delivery
    set attempts = ${attempt}, claimed_until = null, next_attempt_at = now() + ${delayMs}::float8 * interval '1 millisecond'
    where id = ${id} and attempts = ${attempt - 1} and delivered_at is null and failed_at is null`.execute(tx)
  return numAffectedRows === 1n
}

/** Gives up a delivery after its last attempt; false when another process has recorded that attempt. */
export async function markFailed(tx: Db, id: string, attempt: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update delivery set attempts = ${attempt}, claimed_until = null, failed_at = now()
    where id = ${id} and attempts = ${attempt - 1} and delivered_at is null and failed_at is null`.execute(tx)
  return numAffectedRows === 1n
}

/** Stops what a subscription was still to be told. */
export async function failPending(tx: Db, subscriptionId: string): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ failed_at: sql<Date>`now()` })
    .where('subscription_id', '=', subscriptionId)
    .where('delivered_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
}

/**
 * Takes deliveries that have been due for `overdueMs` and that nobody has in hand, each at most once in that time, among all
 * processes. Those made in the moment in which their subscription went away are given up.
 */
export async function takeOverdue(db: Db, overdueMs: number, size: number): Promise<{ id: string; attempts: number }[]> {
  const before = sql`now() - ${overdueMs}::float8 * interval '1 millisecond'`
  const { rows } = await sql<{ id: string; attempts: number; failed_at: Date | null }>`
    with overdue as (
      select d.id, s.id is null as orphaned from delivery d
      left join subscription s on s.id = d.subscription_id and s.disabled_at is null
      where d.delivered_at is null and d.failed_at is null and d.next_attempt_at < ${before}
        and (d.claimed_until is null or d.claimed_until < now()) and (d.requeued_at is null or d.requeued_at < ${before})
      order by d.next_attempt_at limit ${size} for update of d skip locked
    )
    update delivery d set requeued_at = now(), failed_at = case when overdue.orphaned then now() end
    from overdue where d.id = overdue.id
    returning d.id, d.attempts, d.failed_at`.execute(db)
  return rows.filter((row) => row.failed_at === null).map(({ id, attempts }) => ({ id, attempts }))
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A request for due deliveries of a subscription, at most `room`. */
export type ClaimRequest = { readonly subscriptionId: string; readonly room: number }

/** A delivery that this process may attempt until the claim ends. */
export type ClaimedDelivery = {
  readonly id: string
  readonly subscriptionId: string
  /** The number of the attempt that follows; the first is 1. */
  readonly attempt: number
  readonly kind: string
  readonly payload: string
  readonly callbackUrl: string
  /** Newest first. There are two while the previous secret is still valid. */
  readonly sealedSecrets: readonly Buffer[]
  /** The application that the webhook is about; null for a test delivery. */
  readonly appKey: string | null
  /** Number of attempts before the last replay, which restarted the schedule; 0 without a replay. */
  readonly scheduleStart: number
  /** The `traceparent` of the task that reached the level; null if there is none. */
  readonly trace: string | null
}

type ClaimedRow = {
  id: string
  subscription_id: string
  attempts: number
  kind: string
  payload: string
  app_key: string | null
  schedule_start: number
  trace: string | null
  callback_url: string
  sealed_secret: Buffer
  previous_secret: Buffer | null
}

/**
 * Claims due deliveries for `claimMs`, the longest due first. Only one process gets each of them. A subscription may occur only once in
 * `requests`. The dispatcher claims deliveries with a callback URL, and a listener takes its own. Takes at most 500 subscriptions with at
 * most 16 deliveries each.
 */
export async function claimDeliveries(
  db: Db,
  requests: readonly ClaimRequest[],
  claimMs: number,
  claimant: 'dispatcher' | 'listener' = 'dispatcher',
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedRow>`
    with due as (
      select d.id, s.callback_url, s.sealed_secret,
        case when s.previous_valid_until > now() then s.previous_sealed_secret end as previous_secret
      from unnest(${requests.map((each) => each.subscriptionId)}::uuid[], ${requests.map((each) => each.room)}::int[])
        as request (subscription_id, room)
      join subscription s on s.id = request.subscription_id and s.disabled_at is null
        and (s.listener_until is not null) = ${claimant === 'listener'}
      cross join lateral (
        select id from delivery
        where subscription_id = request.subscription_id and delivered_at is null and failed_at is null
          and next_attempt_at <= now() and (claimed_until is null or claimed_until < now())
        order by next_attempt_at limit request.room for update skip locked
      ) d
    )
    update delivery d set claimed_until = now() + ${claimMs}::float8 * interval '1 millisecond' from due where d.id = due.id
    returning d.id, d.subscription_id, d.attempts, d.kind, d.payload, d.app_key, d.schedule_start, d.trace,
      due.callback_url, due.sealed_secret, due.previous_secret`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    subscriptionId: row.subscription_id,
    attempt: row.attempts + 1,
    kind: row.kind,
    payload: row.payload,
    callbackUrl: row.callback_url,
    sealedSecrets: row.previous_secret === null ? [row.sealed_secret] : [row.sealed_secret, row.previous_secret],
    appKey: row.app_key,
    scheduleStart: row.schedule_start,
    trace: row.trace,
  }))
}

/**
 * Returns the given subscriptions that are active and have an unclaimed delivery that has been due for `overdueMs`.
 * One index lookup for each subscription with pending deliveries.
 */
export async function findOverdue(db: Db, overdueMs: number, subscriptionIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from subscription s
    cross join lateral (
      select from delivery d
      where d.subscription_id = s.id and d.delivered_at is null and d.failed_at is null
        and d.next_attempt_at < now() - ${overdueMs}::float8 * interval '1 millisecond'
        and (d.claimed_until is null or d.claimed_until < now())
      limit 1
    ) overdue
    where s.id = any(${subscriptionIds}::uuid[]) and s.disabled_at is null and s.listener_until is null
    order by s.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the given subscriptions that are disabled or deleted. One index lookup for each subscription with pending deliveries. */
export async function findInactive(db: Db, subscriptionIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${subscriptionIds}::uuid[]) as given (id)
    where not exists (select from subscription s where s.id = given.id and s.disabled_at is null)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The result of one attempt: an HTTP status or a failure, and the outcome for the delivery. */
export type Attempt = {
  readonly deliveryId: string
  readonly number: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
  /** The beginning of what the receiver answered. Null: nothing, or nothing readable. */
  readonly response: string | null
  readonly outcome: 'delivered' | 'retry' | 'failed' | 'gone'
  /** Delay until the next attempt; 0 unless the outcome is `retry`. */
  readonly delayMs: number
}

/** The receiver answered 410, which disables its subscription. */
export const GONE = 'the receiver answered 410 Gone'
const EXHAUSTED = 'the last attempt failed'

/**
 * Records attempts of different deliveries and updates the deliveries. Ignores attempts of a delivery that was already delivered, and
 * failed attempts whose number was already recorded. A successful attempt always counts, even if the delivery was marked as failed in
 * between. Updates in the order of ids. If two processes record the same deliveries in another order nevertheless, Postgres reports a deadlock
 * to one of them, which tries again.
 */
export async function recordAttempts(tx: Db, attempts: readonly Attempt[]): Promise<void> {
  await sql`
    with made as (
      select * from unnest(
        ${attempts.map((each) => each.deliveryId)}::uuid[], ${attempts.map((each) => each.number)}::int[],
        ${attempts.map((each) => each.startedAt)}::timestamptz[], ${attempts.map((each) => each.durationMs)}::int[],
        ${attempts.map((each) => each.status)}::int[], ${attempts.map((each) => each.failure)}::text[],
        ${attempts.map((each) => each.response)}::text[],
        ${attempts.map((each) => each.outcome)}::text[], ${attempts.map((each) => each.delayMs)}::float8[]
      ) as made(id, number, started_at, duration_ms, status, failure, response, outcome, delay_ms)
      order by id
    ), recorded as (
      update delivery d set
        attempts = d.attempts + 1, claimed_until = null,
        delivered_at = case when outcome = 'delivered' then now() end,
        failed_at = case outcome when 'delivered' then null when 'retry' then d.failed_at else coalesce(d.failed_at, now()) end,
        failed_reason = case outcome
          when 'delivered' then null
          when 'retry' then d.failed_reason
          else coalesce(d.failed_reason, case outcome when 'gone' then ${GONE} else ${EXHAUSTED} end)
        end,
        next_attempt_at = case when outcome = 'retry' then now() + delay_ms * interval '1 millisecond' else d.next_attempt_at end
      from made
      where d.id = made.id and d.delivered_at is null and (d.attempts = made.number - 1 or made.outcome = 'delivered')
      returning d.id, d.attempts, made.started_at, made.duration_ms, made.status, made.failure, made.response
    )
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status, failure, response)
    select id, attempts, started_at, duration_ms, status, failure, response from recorded`.execute(tx)
}

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

/** What one statement inserts: so little that what is being made weighs on nobody's memory, however much there is of it. */
const CHUNK = { rows: 2_000, characters: 4_000_000 }

/** Stores deliveries as they are made, and gives the ids of the subscriptions that have some which were not told before. */
export async function insertDeliveries(tx: Db, made: Iterable<NewDelivery>): Promise<string[]> {
  const told = new Set<string>()
  for (const chunk of chunksOf(made)) for (const id of await insertChunk(tx, chunk)) told.add(id)
  return [...told]
}

function* chunksOf(made: Iterable<NewDelivery>): Generator<NewDelivery[]> {
  let chunk: NewDelivery[] = []
  let characters = 0
  for (const each of made) {
    chunk.push(each)
    characters += each.body.length
    if (chunk.length < CHUNK.rows && characters < CHUNK.characters) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}

async function insertChunk(tx: Db, made: readonly NewDelivery[]): Promise<string[]> {
  const { rows } = await sql<{ subscription_id: string }>`
    insert into delivery (id, subscription_id, app_key, user_id, period_start, level, arm_seq, event_name, body)
    select * from unnest(
      ${made.map((each) => each.id)}::uuid[], ${made.map((each) => each.subscriptionId)}::uuid[],
      ${made.map((each) => each.appKey)}::text[], ${made.map((each) => each.userId)}::text[],
      ${made.map((each) => each.periodStart)}::timestamptz[], ${made.map((each) => each.level)}::int[],
      ${made.map((each) => each.armSeq)}::int[], ${made.map((each) => each.eventName)}::text[], ${made.map((each) => each.body)}::text[]
    )
    on conflict do nothing returning subscription_id`.execute(tx)
  return rows.map((row) => row.subscription_id)
}

/** Stops what a subscription was still to be told, for a reason that can be read later. */
export async function failPending(tx: Db, subscriptionId: string, reason: string): Promise<void> {
  // Locked in the order of ids, as by all who change several.
  await sql`
    with pending as (
      select id from delivery where subscription_id = ${subscriptionId} and delivered_at is null and failed_at is null
      order by id for update
    )
    update delivery d set failed_at = now(), failed_reason = ${reason} from pending where d.id = pending.id`.execute(tx)
}

/** How many deliveries of a subscription are wanted, at most. */
export type Ask = { readonly subscriptionId: string; readonly room: number }

/**
 * Takes due deliveries for their next attempt, the longest due first, for `claimMs`; each is had by one process only. Each
 * subscription is asked for once.
 */
export async function claimDeliveries(db: Db, asks: readonly Ask[], claimMs: number): Promise<Claimed[]> {
  const { rows } = await sql<ClaimedRow>`
    with due as (
      select d.id, s.callback_url, s.sealed_secret,
        case when s.previous_valid_until > now() then s.previous_sealed_secret end as previous_secret
      from unnest(${asks.map((ask) => ask.subscriptionId)}::uuid[], ${asks.map((ask) => ask.room)}::int[]) as ask(subscription_id, room)
      join subscription s on s.id = ask.subscription_id and s.disabled_at is null
      cross join lateral (
        select id from delivery
        where subscription_id = ask.subscription_id and delivered_at is null and failed_at is null
          and next_attempt_at <= now() and (claimed_until is null or claimed_until < now())
        order by next_attempt_at limit ask.room for update skip locked
      ) d
    )
    update delivery d set claimed_until = now() + ${claimMs}::float8 * interval '1 millisecond' from due where d.id = due.id
    returning d.id, d.subscription_id, d.attempts, d.event_name, d.body, d.app_key, d.schedule_start,
      due.callback_url, due.sealed_secret, due.previous_secret`.execute(db)
  return rows.map(claimed)
}

export type Claimed = {
  readonly id: string
  readonly subscriptionId: string
  /** The number of the attempt that it was taken for, the first being 1. */
  readonly attempt: number
  readonly eventName: string
  readonly body: string
  readonly callbackUrl: string
  /** The newest first; two while one is rotated out. */
  readonly sealedSecrets: readonly Buffer[]
  /** Asked for by the partner to try the endpoint. */
  readonly test: boolean
  /** Attempts that were made before a replay began the schedule anew. */
  readonly scheduleStart: number
}

type ClaimedRow = {
  id: string
  subscription_id: string
  attempts: number
  event_name: string
  body: string
  app_key: string | null
  schedule_start: number
  callback_url: string
  sealed_secret: Buffer
  previous_secret: Buffer | null
}

function claimed(row: ClaimedRow): Claimed {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    attempt: row.attempts + 1,
    eventName: row.event_name,
    body: row.body,
    callbackUrl: row.callback_url,
    sealedSecrets: row.previous_secret === null ? [row.sealed_secret] : [row.sealed_secret, row.previous_secret],
    test: row.app_key === null,
    scheduleStart: row.schedule_start,
  }
}

/**
 * Subscriptions, in the order of their ids and after the given one, with a delivery that has been due for `overdueMs` and that nobody
 * has in hand; `live` is false where the subscription is gone or disabled. However many deliveries one has, it costs one look.
 */
export async function findOverdue(db: Db, overdueMs: number, after: string, size: number): Promise<{ id: string; live: boolean }[]> {
  const { rows } = await sql<{ id: string; live: boolean }>`
    with recursive pending(id) as (
      (select subscription_id from delivery where delivered_at is null and failed_at is null and subscription_id > ${after}
        order by subscription_id limit 1)
      union all
      select (select d.subscription_id from delivery d
        where d.delivered_at is null and d.failed_at is null and d.subscription_id > pending.id order by d.subscription_id limit 1)
      from pending where pending.id is not null
    )
    select pending.id, exists (select from subscription s where s.id = pending.id and s.disabled_at is null) as live
    from pending cross join lateral (
      select from delivery d
      where d.subscription_id = pending.id and d.delivered_at is null and d.failed_at is null
        and d.next_attempt_at < now() - ${overdueMs}::float8 * interval '1 millisecond'
        and (d.claimed_until is null or d.claimed_until < now())
      limit 1
    ) overdue
    limit ${size}`.execute(db)
  return rows
}

import { sql } from 'kysely'
import { failPending } from './deliveries.ts'
import type { Db } from './tables.ts'

export type NewSubscription = {
  readonly id: string
  readonly partnerId: string
  readonly events: readonly string[]
  readonly callbackUrl: string
  readonly sealedSecret: Buffer
}

/** How many subscriptions a partner has that are to be told, and how many events they ask for, all in all. */
export async function countSubscriptions(db: Db, partnerId: string): Promise<{ subscriptions: number; events: number }> {
  const { rows } = await sql<{ subscriptions: number; events: number }>`
    select count(*)::int as subscriptions, coalesce(sum(cardinality(events)), 0)::int as events from subscription
    where partner_id = ${partnerId} and disabled_at is null`.execute(db)
  return rows[0] ?? { subscriptions: 0, events: 0 }
}

/** Makes a subscription that is told of what comes after the newest change of limits. Whoever asks holds the partner's lock. */
export async function insertSubscription(db: Db, made: NewSubscription): Promise<void> {
  await db
    .insertInto('subscription')
    .values({
      id: made.id,
      partner_id: made.partnerId,
      events: [...made.events],
      callback_url: made.callbackUrl,
      sealed_secret: made.sealedSecret,
      live_after: sql<string>`(select limit_seq from partner where id = ${made.partnerId})`,
    })
    .execute()
}

/** An event that some of a partner's subscriptions are to be told of. */
export type Wanted = { readonly partnerId: string; readonly eventName: string; readonly subscriptionIds: readonly string[] }

/** What partners are to be told of, each event once, of something that came after the change of limits with the number that stands by the partner. */
export async function readWanted(db: Db, partners: ReadonlyMap<string, number>): Promise<Wanted[]> {
  const { rows } = await sql<{ partner_id: string; event_name: string; ids: string[] }>`
    select s.partner_id, event_name, array_agg(s.id) as ids
    from unnest(${[...partners.keys()]}::text[], ${[...partners.values()]}::bigint[]) as told (partner_id, seq)
    join subscription s on s.partner_id = told.partner_id and s.disabled_at is null and s.live_after <= told.seq
    cross join unnest(s.events) as event_name
    group by s.partner_id, event_name`.execute(db)
  return rows.map((row) => ({ partnerId: row.partner_id, eventName: row.event_name, subscriptionIds: row.ids }))
}

/** Deletes a partner's subscription and stops what was still to be delivered; false when the partner has no such one. */
export async function deleteSubscription(tx: Db, partnerId: string, id: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('subscription')
    .where('id', '=', id)
    .where('partner_id', '=', partnerId)
    .returning('id')
    .executeTakeFirst()
  if (gone === undefined) return false
  await failPending(tx, id, 'the subscription was deleted')
  return true
}

/** Stops a subscription for good, and what was still to be delivered. */
export async function disableSubscription(tx: Db, id: string, reason: string): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({ disabled_at: sql<Date>`now()`, disabled_reason: reason })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .execute()
  await failPending(tx, id, `the subscription was disabled: ${reason}`)
}

/** Lets a disabled subscription be told again. What it was not told meanwhile stays untold. Whoever asks holds the partner's lock. */
export async function enableSubscription(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      live_after: sql<string>`(select limit_seq from partner where partner.id = subscription.partner_id)`,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Replaces a subscription's secret; the one before stays valid for so many hours. When that time still runs for an older one, the
 * older one keeps it and the newest is dropped at once: its answer may be the one that was lost. Gives the time; undefined when the
 * subscription is gone.
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

import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A delivery that a partner asks for to try its endpoint. */
export type TestDelivery = {
  readonly id: string
  readonly subscriptionId: string
  readonly userId: string
  readonly level: number
  readonly eventName: string
  readonly body: string
}

export async function insertTestDelivery(tx: Db, made: TestDelivery): Promise<void> {
  await tx
    .insertInto('delivery')
    .values({
      id: made.id,
      subscription_id: made.subscriptionId,
      app_key: null,
      user_id: made.userId,
      period_start: sql<Date>`now()`,
      level: made.level,
      arm_seq: 0,
      event_name: made.eventName,
      body: made.body,
    })
    .execute()
}

/** The subscription of a partner's delivery. Undefined where the partner has no such delivery, or has deleted its subscription. */
export async function findSubscriptionOf(db: Db, partnerId: string, deliveryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('delivery')
    .innerJoin('subscription', 'subscription.id', 'delivery.subscription_id')
    .select('subscription.id')
    .where('delivery.id', '=', deliveryId)
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  return row?.id
}

/**
 * Makes a delivery due now, whatever became of it, with the whole schedule before it.
 * One number is left out: the failure of an attempt in hand is that of another number, and changes nothing.
 */
export async function replayDelivery(tx: Db, id: string): Promise<void> {
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
    .where('id', '=', id)
    .execute()
}

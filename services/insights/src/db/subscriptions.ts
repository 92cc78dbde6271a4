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

export async function countSubscriptions(db: Db, partnerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('subscription')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('partner_id', '=', partnerId)
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertSubscription(db: Db, made: NewSubscription): Promise<void> {
  await db
    .insertInto('subscription')
    .values({
      id: made.id,
      partner_id: made.partnerId,
      events: [...made.events],
      callback_url: made.callbackUrl,
      sealed_secret: made.sealedSecret,
    })
    .execute()
}

/** The subscriptions of partners that are to be told, with the names of the events that they ask for. */
export async function liveSubscriptions(db: Db, partnerIds: readonly string[]) {
  const rows = await db
    .selectFrom('subscription')
    .select(['id', 'partner_id', 'events'])
    .where('partner_id', 'in', partnerIds)
    .where('disabled_at', 'is', null)
    .execute()
  return rows.map((row) => ({ id: row.id, partnerId: row.partner_id, events: row.events }))
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
  await failPending(tx, id)
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
  await failPending(tx, id)
}

export async function noteSuccess(tx: Db, id: string): Promise<void> {
  await tx.updateTable('subscription').set({ failing_since: null }).where('id', '=', id).where('failing_since', 'is not', null).execute()
}

/** Notes a failure. Gives for how long, in milliseconds, there have been only failures. */
export async function noteFailure(tx: Db, id: string): Promise<number> {
  await tx
    .updateTable('subscription')
    .set({ failing_since: sql<Date>`now()` })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .execute()
  const row = await tx
    .selectFrom('subscription')
    .select(sql<number>`extract(epoch from now() - failing_since)::float8 * 1000`.as('failing_ms'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.failing_ms ?? 0
}

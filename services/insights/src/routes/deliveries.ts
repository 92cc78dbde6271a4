import * as endpoints from '@onward/contract'
import { cutPage, isUuid, Refusal, readCursor } from '@onward/runtime'
import {
  findSubscriptionId,
  type ListedAttempt,
  type ListedDelivery,
  listAttempts,
  pageDeliveries,
  replayDeliveries,
} from '../db/deliveries.ts'
import type { Db } from '../db/tables.ts'
import { wakeSubscriptions } from '../webhooks/queue.ts'
import { requireActiveSubscription, requireSubscription } from '../webhooks/subscriptions.ts'
import { route } from './route.ts'

export const listDeliveriesRoute = route(endpoints.listDeliveries, async (ctx, { params, query, caller }) => {
  const { id } = await requireSubscription(ctx.db, caller.workspaceId, params.subscription_id)
  const filter = { status: query.status, before: readDeliveryCursor(id, query._cursor) }
  const rows = await pageDeliveries(ctx.db, id, filter, query.page_size + 1)
  const { page, _cursor } = cutPage(rows, query.page_size, keyOfDelivery)
  return { deliveries: await presentDeliveries(ctx.db, page), _cursor }
})

/** Returns the sort key of a delivery in the pages of its subscription. */
export function keyOfDelivery({ subscriptionId, id }: ListedDelivery): [string, string] {
  return [subscriptionId, id]
}

/** Returns deliveries with their attempts, as the API shows them. */
export async function presentDeliveries(db: Db, page: readonly ListedDelivery[]): Promise<endpoints.Delivery[]> {
  const attempts = await listAttempts(
    db,
    page.map((delivery) => delivery.id),
  )
  return page.map((delivery) => presentDelivery(delivery, attempts.get(delivery.id) ?? []))
}

/**
 * Returns the delivery id in the cursor: the last one of the previous page. Null without a cursor. Throws a Refusal for a cursor of another
 * list.
 */
export function readDeliveryCursor(subscriptionId: string, cursor: string | undefined): string | null {
  const key = readCursor(cursor, ['string', 'string'])
  if (key === null) return null
  const [listedId, deliveryId] = key
  if (listedId !== subscriptionId || !isUuid(deliveryId)) {
    throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier response of this list'])
  }
  return deliveryId
}

function presentDelivery(delivery: ListedDelivery, attempts: readonly ListedAttempt[]): endpoints.Delivery {
  const status = statusOf(delivery)
  return {
    delivery_id: delivery.id,
    event_name: delivery.kind,
    user_id: delivery.userId || null,
    app_key: delivery.appKey || null,
    test: delivery.appKey === null,
    status,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      started_at: attempt.startedAt.toISOString(),
      duration_ms: attempt.durationMs,
      status: attempt.status,
      failure: attempt.failure,
      response: attempt.response,
    })),
    next_attempt_at: status === 'pending' ? delivery.nextAttemptAt.toISOString() : null,
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
    failed_at: delivery.failedAt?.toISOString() ?? null,
    failed_reason: delivery.failedReason,
    created_at: delivery.createdAt.toISOString(),
    body: JSON.parse(delivery.payload),
  }
}

function statusOf({ deliveredAt, failedAt }: ListedDelivery): endpoints.DeliveryStatus {
  if (deliveredAt !== null) return 'delivered'
  return failedAt === null ? 'pending' : 'failed'
}

export const replayDeliveryRoute = route(endpoints.replayDelivery, async (ctx, { params, caller: { workspaceId } }) => {
  const id = params.delivery_id.toLowerCase()
  const subscriptionId = isUuid(id) ? await findSubscriptionId(ctx.db, workspaceId, id) : undefined
  if (subscriptionId === undefined) throw new Refusal('delivery_not_found', 'there is no such delivery')
  await ctx.db.transaction().execute(async (tx) => {
    await requireActiveSubscription(tx, workspaceId, subscriptionId)
    await replayDeliveries(tx, [id])
  })
  await wakeSubscriptions(ctx, [subscriptionId])
  return { delivery_id: id }
})

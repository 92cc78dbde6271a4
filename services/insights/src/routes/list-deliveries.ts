import * as endpoints from '@onward/contract'
import { isUuid, Refusal, readCursor, writeCursor } from '@onward/runtime'
import { attemptsAt, pageDeliveries } from '../db/delivery-list.ts'
import { presentDelivery } from './present-delivery.ts'
import { requireSubscription } from './require-subscription.ts'
import { route } from './route.ts'

export const listDeliveries = route(endpoints.listDeliveries, async (ctx, { params, query, caller }) => {
  const { id } = await requireSubscription(ctx.db, caller, params.subscription_id)
  const rows = await pageDeliveries(ctx.db, id, query.status, placeIn(id, query._cursor), query.page_size + 1)
  const page = rows.slice(0, query.page_size)
  const last = page.at(-1)
  const made = await attemptsAt(
    ctx.db,
    page.map((delivery) => delivery.id),
  )
  return {
    deliveries: page.map((delivery) => presentDelivery(delivery, made.get(delivery.id) ?? [])),
    _cursor: rows.length > page.length && last !== undefined ? writeCursor([id, last.id]) : null,
  }
})

/** The delivery at which a page of this subscription ended; null before the first page. */
function placeIn(subscriptionId: string, cursor: string | undefined): string | null {
  const key = readCursor(cursor, ['string', 'string'])
  if (key === null) return null
  const [of, deliveryId] = key
  if (of !== subscriptionId || !isUuid(deliveryId)) {
    throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier answer of this list'])
  }
  return deliveryId
}

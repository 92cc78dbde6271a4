import { MAX_DELIVERY_IDS, readDeliveries } from '@onward/contract'
import { cutPage, firstUuidAt, isStorable, isUuid, readTime } from '@onward/runtime'
import { findDeliveries, type ListedDelivery, pageDeliveries } from '../../db/deliveries.ts'
import type { Db } from '../../db/tables.ts'
import { requireSubscription } from '../../webhooks/subscriptions.ts'
import { keyOfDelivery, presentDeliveries, readDeliveryCursor } from '../deliveries.ts'
import { adminRoute, invalidParameters, requireWorkspace } from '../route.ts'

export const readDeliveriesRoute = adminRoute(readDeliveries, async (ctx, { params, query }) => {
  const { id: workspaceId } = await requireWorkspace(ctx.db, params.workspace_id)
  const {
    delivery_ids: ids,
    subscription_id: subscriptionId,
    status,
    app_key: appKey,
    user_id: userId,
    since,
    until,
    page_size: size,
    _cursor,
  } = query
  if (ids !== undefined) {
    const others = [subscriptionId, status, appKey, userId, since, until, _cursor]
    if (others.some((other) => other !== undefined)) throw invalidParameters('delivery_ids: cannot be combined')
    return { deliveries: await present(ctx.db, await findDeliveries(ctx.db, workspaceId, readIds(ids))), _cursor: null }
  }
  if (subscriptionId === undefined) throw invalidParameters('subscription_id: is required without delivery_ids')
  const { id } = await requireSubscription(ctx.db, workspaceId, subscriptionId)
  if (![appKey ?? '', userId ?? ''].every(isStorable)) return { deliveries: [], _cursor: null }
  const from = since === undefined ? undefined : firstUuidAt(readTime('since', since))
  const end = until === undefined ? null : firstUuidAt(readTime('until', until))
  const filter = { status, appKey, userId, before: readDeliveryCursor(id, _cursor) ?? end, ...(from === undefined ? {} : { from }) }
  const rows = await pageDeliveries(ctx.slowDb, id, filter, size + 1)
  const found = cutPage(rows, size, keyOfDelivery)
  return { deliveries: await present(ctx.db, found.page), _cursor: found._cursor }
})

async function present(db: Db, page: readonly ListedDelivery[]) {
  const presented = await presentDeliveries(db, page)
  return presented.map((delivery, at) => ({ subscription_id: page[at]?.subscriptionId ?? '', ...delivery }))
}

function readIds(text: string): string[] {
  const ids = text.split(',')
  if (ids.length > MAX_DELIVERY_IDS || !ids.every(isUuid))
    throw invalidParameters(`delivery_ids: must be up to ${MAX_DELIVERY_IDS} ids of deliveries`)
  return ids
}

import * as endpoints from '@onward/contract'
import { isUuid, Refusal, readCursor, writeCursor } from '@onward/runtime'
import { pageSubscriptions, type SubscriptionKey } from '../db/subscription-list.ts'
import { presentSubscription } from './present-subscription.ts'
import { route } from './route.ts'

export const listSubscriptions = route(endpoints.listSubscriptions, async (ctx, { query, caller }) => {
  const rows = await pageSubscriptions(ctx.db, caller.partnerId, keyOf(query._cursor), query.page_size + 1)
  const page = rows.slice(0, query.page_size)
  const last = page.at(-1)
  return {
    subscriptions: page.map(presentSubscription),
    _cursor: rows.length > page.length && last !== undefined ? writeCursor([last.createdMicros, last.id]) : null,
  }
})

function keyOf(cursor: string | undefined): SubscriptionKey | null {
  const key = readCursor(cursor, ['string', 'string'])
  if (key === null) return null
  const [createdMicros, id] = key
  if (!/^\d{1,16}$/.test(createdMicros) || !isUuid(id)) {
    throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier answer of this list'])
  }
  return { createdMicros, id }
}

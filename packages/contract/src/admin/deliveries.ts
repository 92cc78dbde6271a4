import { endpoint } from '../endpoint.ts'
import { delivery, deliveryStatuses } from '../insights/deliveries.ts'
import { listCursor, pageSize, userIdFilter } from '../parts.ts'
import { arrayOf, object, time, uuid } from '../schemas.ts'

/** Maximum number of `delivery_ids` in one request. */
export const MAX_DELIVERY_IDS = 50

/**
 * Lists the deliveries of the subscription `subscription_id` that were created from `since` to before `until`, newest first, or the
 * deliveries with these `delivery_ids`, which commas separate. With `delivery_ids`, nothing else is allowed, and unknown ids are left out.
 */
export const readDeliveries = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/deliveries',
  access: { role: 'viewer', in: ['workspace_id', 'app_key'] },
  summary: 'List the deliveries of a subscription, or given deliveries, with their attempts.',
  query: {
    type: 'object',
    properties: {
      subscription_id: uuid,
      delivery_ids: { type: 'string', maxLength: 37 * MAX_DELIVERY_IDS },
      status: { type: 'string', enum: deliveryStatuses },
      app_key: { type: 'string' },
      user_id: userIdFilter,
      since: time,
      until: time,
      page_size: pageSize,
      _cursor: { type: 'string' },
    },
  },
  errors: ['workspace_not_found', 'subscription_not_found'],
  response: object({
    deliveries: arrayOf(object({ subscription_id: uuid, ...delivery.properties })),
    _cursor: listCursor,
  }),
})

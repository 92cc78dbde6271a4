import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize } from '../parts.ts'
import { arrayOf, object, time, timeOrNull, uuid } from '../schemas.ts'
import { exampleStatusWithPercents } from './tasks.ts'
import { webhookPayload } from './webhook-kinds.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/**
 * One POST to the callback URL, with the status of its response or the reason why there was no complete response, such as `timed_out` or
 * `unreachable: ECONNREFUSED`. `response` is the first 1,000
 * characters of the response; null if it was empty or compressed, or if a listener received the delivery.
 */
const attempt = object({
  number: { type: 'integer' },
  started_at: time,
  duration_ms: { type: 'integer' },
  status: { type: ['integer', 'null'] },
  failure: { type: ['string', 'null'] },
  response: { type: ['string', 'null'] },
})

/** One webhook to one subscription. `delivery_id` is the header webhook-id. `attempts` holds the newest 50 attempts. */
export const delivery = object({
  delivery_id: uuid,
  event_name: { type: 'string' },

  /** Null for an event about all users. */
  user_id: { type: ['string', 'null'] },

  /** Null for test deliveries and for events about all users. */
  app_key: { type: ['string', 'null'] },
  test: { type: 'boolean' },
  status: { type: 'string', enum: deliveryStatuses },
  attempts: arrayOf(attempt),

  /** Null unless the delivery is pending. */
  next_attempt_at: timeOrNull,
  delivered_at: timeOrNull,
  failed_at: timeOrNull,
  failed_reason: { type: ['string', 'null'] },
  created_at: time,
  body: webhookPayload,
})

export type Delivery = FromSchema<typeof delivery>

export const exampleSubscriptionId = 'a3d9c0f2-5b74-4e1c-9f68-7d20b1e4c835'

/** A delivery that is sent with a test webhook. */
export const exampleReference = { delivery_id: '019ac2f5-02aa-7c19-b3d6-91f7e5a40c28' } as const

const exampleDelivery = {
  ...exampleReference,
  event_name: 'user_tasks_limit_80',
  user_id: 'joe@example.com',
  app_key: 'ak_4f9c2e7b1d8a6053e2',
  test: false,
  status: 'delivered',
  attempts: [{ number: 1, started_at: '2026-11-23T08:15:31.020Z', duration_ms: 96, status: 204, failure: null, response: null }],
  next_attempt_at: null,
  delivered_at: '2026-11-23T08:15:31.116Z',
  failed_at: null,
  failed_reason: null,
  created_at: '2026-11-23T08:15:30.988Z',
  body: exampleStatusWithPercents,
} as const

export const listDeliveries = endpoint({
  method: 'get',
  path: '/partners/api/insights/subscriptions/:subscription_id/deliveries',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List the deliveries of a subscription with their attempts, newest first.',
  query: {
    type: 'object',
    properties: { status: { type: 'string', enum: deliveryStatuses }, page_size: pageSize, _cursor: { type: 'string' } },
  },
  errors: ['subscription_not_found'],
  response: object({ deliveries: arrayOf(delivery), _cursor: listCursor }),
  examples: [
    {
      summary: 'The newest delivery',
      params: { subscription_id: exampleSubscriptionId },
      query: { page_size: 1 },
      response: { deliveries: [exampleDelivery], _cursor: 'WyJhM2Q5YzBmMiJd' },
    },
  ],
})

/** The id of the delivery that the request sends. It is the header webhook-id. */
export const deliveryReference = object({ delivery_id: uuid })

export const replayDelivery = endpoint({
  method: 'post',
  path: '/partners/api/insights/deliveries/:delivery_id/replay',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'delivery.replay',
  summary: 'Send a delivery again at once, whatever its status is: the same id and bytes, with the whole schedule of attempts.',
  errors: ['delivery_not_found', 'subscription_not_found', 'subscription_disabled'],
  response: deliveryReference,
  examples: [{ summary: 'Send a delivery again', params: exampleReference, response: exampleReference }],
})

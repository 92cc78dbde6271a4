import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { arrayOf, object, time, uuid } from '../schemas.ts'
import { exampleReference, exampleSubscriptionId } from './deliveries.ts'
import { createSubscription } from './subscriptions.ts'
import { exampleStatusWithPercents } from './tasks.ts'

const exampleExpiry = '2026-11-23T08:17:30.000Z'

/**
 * A listener is a temporary subscription without a callback URL: its owner takes the deliveries, for example to forward them to a program
 * that is being developed. It expires two minutes after deliveries were last taken. A workspace can have five; they do not count as
 * subscriptions.
 */
export const createListener = endpoint({
  method: 'post',
  path: '/partners/api/insights/listeners',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'listener.create',
  summary: 'Begin to listen to events: their webhooks can be taken instead of being sent to a callback URL.',
  body: object({ events: createSubscription.body.properties.events }),
  errors: ['too_many_subscriptions'],
  response: object({ subscription_id: uuid, signing_secret: { type: 'string' }, expires_at: time }),
  examples: [
    {
      summary: 'Listen to one level',
      body: { events: ['user_tasks_limit_80'] },
      response: {
        subscription_id: exampleSubscriptionId,
        signing_secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
        expires_at: exampleExpiry,
      },
    },
  ],
})

/** `headers` and `body` are the webhook's headers and body. A delivery whose attempt is not reported within a minute can be taken again. */
export const takeDeliveries = endpoint({
  method: 'post',
  path: '/partners/api/insights/listeners/:subscription_id/take',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'listener.take',
  summary: 'Take the due deliveries of a listener, at most 16, and keep it for two more minutes.',
  errors: ['subscription_not_found'],
  response: object({
    deliveries: arrayOf(
      object({
        delivery_id: uuid,
        attempt: { type: 'integer' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: { type: 'string' },
      }),
    ),
    expires_at: time,
  }),
  examples: [
    {
      summary: 'Take what is due',
      params: { subscription_id: exampleSubscriptionId },
      response: {
        deliveries: [
          {
            ...exampleReference,
            attempt: 1,
            headers: { 'webhook-id': exampleReference.delivery_id, 'event-name': 'user_tasks_limit_80' },
            body: JSON.stringify(exampleStatusWithPercents),
          },
        ],
        expires_at: exampleExpiry,
      },
    },
  ],
})

/** Either `status` or `failure` is null. A failed attempt is repeated on the schedule of webhooks. */
export const reportAttempt = endpoint({
  method: 'post',
  path: '/partners/api/insights/listeners/:subscription_id/attempts',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'listener.report',
  summary: 'Report the result of an attempt for a delivery that was taken.',
  body: object({
    delivery_id: uuid,
    attempt: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    duration_ms: { type: 'integer', minimum: 0, maximum: 3_600_000 },
    status: { type: ['integer', 'null'], minimum: 100, maximum: 599 },
    failure: { type: ['string', 'null'], enum: ['unreachable', 'timed_out', null] },
  }),
  errors: ['subscription_not_found', 'delivery_not_found'],
  response: success,
  examples: [
    {
      summary: 'The program answered 204',
      params: { subscription_id: exampleSubscriptionId },
      body: { ...exampleReference, attempt: 1, duration_ms: 12, status: 204, failure: null },
      response: { success: true },
    },
  ],
})

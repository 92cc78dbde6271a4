import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { createSubscription } from './subscriptions.ts'

const time = { type: 'string', format: 'date-time' } as const

/**
 * A listener is a temporary subscription without a callback URL: its owner takes the deliveries, for example to forward them to a program
 * that is being developed. It expires two minutes after deliveries were last taken. A workspace can have five; they do not count as
 * subscriptions.
 */
export const createListener = endpoint({
  method: 'post',
  path: '/partners/api/insights/listeners',
  summary: 'Begin to listen to events: their webhooks can be taken instead of being sent to a callback URL.',
  body: {
    type: 'object',
    required: ['events'],
    additionalProperties: false,
    properties: { events: createSubscription.body.properties.events },
  },
  answer: {
    type: 'object',
    required: ['subscription_id', 'signing_secret', 'expires_at'],
    additionalProperties: false,
    properties: { subscription_id: { type: 'string', format: 'uuid' }, signing_secret: { type: 'string' }, expires_at: time },
  },
})

/** `headers` and `body` are those of the webhook. A delivery whose attempt is not reported within a minute can be taken again. */
export const takeDeliveries = endpoint({
  method: 'post',
  path: '/partners/api/insights/listeners/:subscription_id/take',
  summary: 'Take the due deliveries of a listener, at most 16, and keep it for two more minutes.',
  answer: {
    type: 'object',
    required: ['deliveries', 'expires_at'],
    additionalProperties: false,
    properties: {
      deliveries: {
        type: 'array',
        items: {
          type: 'object',
          required: ['delivery_id', 'attempt', 'headers', 'body'],
          additionalProperties: false,
          properties: {
            delivery_id: { type: 'string', format: 'uuid' },
            attempt: { type: 'integer' },
            headers: { type: 'object', additionalProperties: { type: 'string' } },
            body: { type: 'string' },
          },
        },
      },
      expires_at: time,
    },
  },
})

/** Either `status` or `failure` is null. A failed attempt is repeated on the schedule of webhooks. */
export const reportAttempt = endpoint({
  method: 'post',
  path: '/partners/api/insights/listeners/:subscription_id/attempts',
  summary: 'Report the result of an attempt for a delivery that was taken.',
  body: {
    type: 'object',
    required: ['delivery_id', 'attempt', 'duration_ms', 'status', 'failure'],
    additionalProperties: false,
    properties: {
      delivery_id: { type: 'string', format: 'uuid' },
      attempt: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      duration_ms: { type: 'integer', minimum: 0, maximum: 3_600_000 },
      status: { type: ['integer', 'null'], minimum: 100, maximum: 599 },
      failure: { type: ['string', 'null'], enum: ['unreachable', 'timed_out', null] },
    },
  },
  answer: success,
})

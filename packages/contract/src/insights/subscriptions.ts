import { endpoint } from '../endpoint.ts'

/** `user_tasks_limit_<level>`, level a whole percentage from 1 to 100. */
export const EVENT_PATTERN = '^user_tasks_limit_([1-9]|[1-9][0-9]|100)$'

export const createSubscription = endpoint({
  method: 'post',
  path: '/partners/api/insights/subscriptions',
  summary: 'Subscribe a callback URL to limit-reached events.',
  body: {
    type: 'object',
    required: ['events', 'callback_url'],
    additionalProperties: false,
    properties: {
      events: { type: 'array', minItems: 1, maxItems: 100, uniqueItems: true, items: { type: 'string', pattern: EVENT_PATTERN } },
      callback_url: { type: 'string', minLength: 1, maxLength: 2048 },
    },
  },
  answer: {
    type: 'object',
    required: ['subscription_id', 'signing_secret'],
    additionalProperties: false,
    properties: { subscription_id: { type: 'string', format: 'uuid' }, signing_secret: { type: 'string' } },
  },
})

export const deleteSubscription = endpoint({
  method: 'delete',
  path: '/partners/api/insights/subscriptions/:subscription_id',
  summary: 'Delete a subscription.',
  answer: {
    type: 'object',
    required: ['success'],
    additionalProperties: false,
    properties: { success: { type: 'boolean', const: true } },
  },
})

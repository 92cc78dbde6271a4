import { taskStatusWithPercents } from '../insights/tasks.ts'

const text = { type: 'string' } as const
const HEADERS = {
  'subscription-id': { schema: { ...text, format: 'uuid' }, description: 'The subscription that asked for this event.' },
  'event-name': { schema: text, description: 'The event, such as `user_tasks_limit_80`.' },
  'webhook-id': { schema: { ...text, format: 'uuid' }, description: 'The same for every attempt at this delivery.' },
  'webhook-timestamp': { schema: text, description: 'When this attempt was made, in seconds since 1970.' },
  'webhook-signature': { schema: text, description: 'HMAC-SHA256 under the signing secret, as Standard Webhooks says.' },
} as const
const OPTIONAL = {
  'onward-test': { schema: { const: 'true' }, description: 'A test delivery with invented figures.' },
} as const

/** What a subscription's callback URL receives: the status of a user in the moment in which a level was reached. */
export const limitReachedWebhook = {
  post: {
    operationId: 'limitReached',
    summary: 'A user has reached a level of its task limit.',
    security: [],
    parameters: [
      ...Object.entries(HEADERS).map(([name, header]) => ({ name, in: 'header', required: true, ...header })),
      ...Object.entries(OPTIONAL).map(([name, header]) => ({ name, in: 'header', ...header })),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: taskStatusWithPercents } } },
    responses: {
      '2XX': { description: 'Received: it is not sent again.' },
      '410': { description: 'Nobody is there any more: the subscription is disabled.' },
      default: { description: 'It is sent again later.' },
    },
  },
} as const

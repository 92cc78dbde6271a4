import { webhookPayload } from '../insights/webhook-kinds.ts'

const text = { type: 'string' } as const
const HEADERS = {
  'subscription-id': { schema: { ...text, format: 'uuid' }, description: 'The subscription that receives this event.' },
  'event-name': { schema: text, description: 'The event, such as `user_tasks_limit_80`.' },
  'webhook-id': { schema: { ...text, format: 'uuid' }, description: 'The same for every attempt at this delivery.' },
  'webhook-timestamp': { schema: text, description: 'The time of this attempt, in seconds since 1970.' },
  'webhook-signature': { schema: text, description: 'HMAC-SHA256 with the signing secret, in the format of Standard Webhooks.' },
} as const
const OPTIONAL = {
  'app-key': { schema: text, description: 'The App-Key of the application that the user belongs to. Not in test deliveries.' },
  'onward-test': { schema: { const: 'true' }, description: 'A test delivery with invented figures.' },
} as const

/** What the callback URL of a subscription receives: the status of a user at the moment at which a level was reached. */
export const limitReachedWebhook = {
  post: {
    operationId: 'limitReached',
    summary: 'A user has reached a level of the task limit.',
    security: [],
    parameters: [
      ...Object.entries(HEADERS).map(([name, header]) => ({ name, in: 'header', required: true, ...header })),
      ...Object.entries(OPTIONAL).map(([name, header]) => ({ name, in: 'header', ...header })),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: webhookPayload } } },
    responses: {
      '2XX': { description: 'Received. It is not sent again.' },
      '410': { description: 'The receiver is gone: the subscription is disabled.' },
      default: { description: 'It is sent again later.' },
    },
  },
} as const

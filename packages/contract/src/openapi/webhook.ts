import { taskStatusWithPercents } from '../insights/tasks.ts'
import { eventWebhooks } from '../insights/webhook-kinds.ts'

const text = { type: 'string' } as const
const HEADERS = {
  'subscription-id': { schema: { ...text, format: 'uuid' }, description: 'The subscription that receives this event.' },
  'event-name': { schema: text, description: 'The event, such as `user_tasks_limit_80` or `account_connected`.' },
  'webhook-id': { schema: { ...text, format: 'uuid' }, description: 'The same for every attempt at this delivery.' },
  'webhook-timestamp': { schema: text, description: 'The time of this attempt, in seconds since 1970.' },
  'webhook-signature': { schema: text, description: 'HMAC-SHA256 with the signing secret, in the format of Standard Webhooks.' },
} as const
const OPTIONAL = {
  'app-key': {
    schema: text,
    description:
      'The App-Key of the application that the user belongs to. Not if the event is about all users, and not in test deliveries.',
  },
  'onward-test': { schema: { const: 'true' }, description: 'A test delivery with invented figures.' },
} as const

/** What the callback URL of a subscription receives, by operation. */
export const webhooks: Readonly<Record<string, object>> = {
  limitReached: webhookOf('limitReached', 'A user has reached a level of the task limit.', taskStatusWithPercents),
  ...Object.fromEntries(
    Object.entries(eventWebhooks).map(([kind, schema]) => {
      const operationId = kind.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
      return [operationId, webhookOf(operationId, schema.description, schema)]
    }),
  ),
}

function webhookOf(operationId: string, summary: string, schema: object): object {
  return {
    post: {
      operationId,
      summary,
      security: [],
      parameters: [
        ...Object.entries(HEADERS).map(([name, header]) => ({ name, in: 'header', required: true, ...header })),
        ...Object.entries(OPTIONAL).map(([name, header]) => ({ name, in: 'header', ...header })),
      ],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': { description: 'Received. It is not sent again.' },
        '410': { description: 'The receiver is gone: the subscription is disabled.' },
        default: { description: 'It is sent again later.' },
      },
    },
  }
}

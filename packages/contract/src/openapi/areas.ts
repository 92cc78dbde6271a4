import * as apps from '../functions/apps.ts'
import * as call from '../functions/call.ts'
import * as calls from '../functions/calls.ts'
import * as connectedAccounts from '../functions/connected-accounts.ts'
import * as functions from '../functions/functions.ts'
import * as deliveries from '../insights/deliveries.ts'
import * as history from '../insights/history.ts'
import * as subscriptions from '../insights/subscriptions.ts'
import * as tasks from '../insights/tasks.ts'
import { openApiDocument } from './document.ts'
import { endpointsOf } from './endpoints-of.ts'
import { limitReachedWebhook } from './webhook.ts'

/** Area A, as the service serves it at `/openapi.json`. */
export const functionsOpenApi = openApiDocument({
  title: 'Onward functions',
  description: "Lists, predicts, describes and calls functions of third-party apps with a user's stored credentials.",
  endpoints: endpointsOf(apps, functions, call, calls, connectedAccounts),
  headers: {
    appKey: { header: 'App-Key', description: 'The key of the application.' },
    userId: { header: 'User-ID', description: 'The user on whose behalf the request is made.' },
    hash: { header: 'Hash', description: "HMAC-SHA256 of the User-ID under the application's secret, in hex." },
  },
})

/** Area B, as the service serves it at `/openapi.json`. */
export const insightsOpenApi = openApiDocument({
  title: 'Onward insights',
  description: 'Reads and sets task limits of users, and subscribes callback URLs to limit-reached events.',
  endpoints: endpointsOf(tasks, history, subscriptions, deliveries),
  headers: { apiKey: { header: 'api-key', description: 'The API key of the partner.' } },
  webhooks: { limitReached: limitReachedWebhook },
})

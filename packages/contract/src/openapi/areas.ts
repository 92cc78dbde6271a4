import type { EndpointShape } from '../endpoint.ts'
import * as apps from '../functions/apps.ts'
import * as call from '../functions/call.ts'
import * as calls from '../functions/calls.ts'
import * as connectedAccounts from '../functions/connected-accounts.ts'
import * as functions from '../functions/functions.ts'
import * as mcp from '../functions/mcp.ts'
import * as deliveries from '../insights/deliveries.ts'
import * as history from '../insights/history.ts'
import * as listeners from '../insights/listeners.ts'
import * as subscriptions from '../insights/subscriptions.ts'
import * as tasks from '../insights/tasks.ts'
import { openApiDocument } from './document.ts'
import { limitReachedWebhook } from './webhook.ts'

/** The OpenAPI document of area A, which functions serves at `/openapi.json`. */
export const functionsOpenApi = openApiDocument({
  title: 'Onward functions',
  description: "Lists, predicts, describes and calls functions of third-party apps with a user's stored credentials.",
  endpoints: endpointsOf(apps, functions, call, calls, connectedAccounts, mcp),
  headers: {
    appKey: { header: 'App-Key', description: 'The key of the application.' },
    userId: { header: 'User-ID', description: 'The user on whose behalf the request is made; not `.` or `..`.' },
    hash: { header: 'Hash', description: "HMAC-SHA256 of the User-ID, keyed with the application's secret, in hexadecimal." },
  },
})

/** The OpenAPI document of area B, which insights serves at `/openapi.json`. */
export const insightsOpenApi = openApiDocument({
  title: 'Onward insights',
  description: 'Reads and sets task limits of users, and subscribes callback URLs to limit-reached events.',
  endpoints: endpointsOf(tasks, history, subscriptions, deliveries, listeners),
  headers: { apiKey: { header: 'api-key', description: 'The API key of the partner.' } },
  webhooks: { limitReached: limitReachedWebhook },
})

/** Returns the endpoints among the exports of modules, by name. */
function endpointsOf(...modules: readonly object[]): Readonly<Record<string, EndpointShape>> {
  return Object.fromEntries(modules.flatMap((module) => Object.entries(module)).filter((entry) => isEndpoint(entry[1])))
}

function isEndpoint(value: unknown): value is EndpointShape {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}

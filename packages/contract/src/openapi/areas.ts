import * as approvals from '../functions/approvals.ts'
import * as apps from '../functions/apps.ts'
import * as batch from '../functions/batch-call.ts'
import * as call from '../functions/call.ts'
import * as calls from '../functions/calls.ts'
import * as connectedAccounts from '../functions/connected-accounts.ts'
import * as functions from '../functions/functions.ts'
import * as mcp from '../functions/mcp.ts'
import * as deliveries from '../insights/deliveries.ts'
import * as embedSessions from '../insights/embed-sessions.ts'
import * as history from '../insights/history.ts'
import * as listeners from '../insights/listeners.ts'
import * as subscriptions from '../insights/subscriptions.ts'
import * as tasks from '../insights/tasks.ts'
import { openApiDocument } from './document.ts'
import { webhooks } from './webhook.ts'

const ERRORS = `Every error has the same form. Switch on its \`code\`; the [list of errors](/docs/errors) explains each one. A request can carry an
\`X-Request-ID\` of your own, and every response has one.`

/** The OpenAPI document of area A, which functions serves at `/openapi.json`. */
export const functionsOpenApi = openApiDocument({
  title: 'Onward functions',
  description: `Lists, predicts, describes and calls functions of third-party apps with a user's stored credentials.

Send three headers with every request: \`App-Key\`, \`User-ID\` and \`Hash\`. Send requests from your server, because the application secret,
which \`Hash\` needs, must stay there.

${ERRORS}`,
  groups: {
    Apps: [apps],
    Functions: [functions, call, batch],
    Calls: [calls],
    Approvals: [approvals],
    'Connected accounts': [connectedAccounts],
    'MCP tokens': [mcp],
  },
  headers: {
    appKey: { header: 'App-Key', description: 'The key of the application.' },
    userId: { header: 'User-ID', description: 'The user on whose behalf the request is made; not `.` or `..`.' },
    hash: {
      header: 'Hash',
      description:
        "HMAC-SHA256 of the User-ID, keyed with the application's secret, in hexadecimal. See [My hash does not match](/docs/hash).",
    },
  },
})

/** The OpenAPI document of area B, which insights serves at `/openapi.json`. */
export const insightsOpenApi = openApiDocument({
  title: 'Onward insights',
  description: `Reads and sets task limits of users, and subscribes callback URLs to events: reached limits, changed limits, connected accounts, approvals.

Send an API key of your workspace as the header \`api-key\` with every request. Each operation needs one of the scopes of API keys: \`usage\`,
\`limits\`, \`webhooks\` or \`embed\`. It is the one in its \`security\`.

${ERRORS}`,
  groups: {
    'Users and limits': [tasks, history],
    Subscriptions: [subscriptions],
    Deliveries: [deliveries],
    Listeners: [listeners],
    'Embedded pages': [embedSessions],
  },
  headers: { apiKey: { header: 'api-key', description: 'An API key of the workspace, with the scope that the operation needs.' } },
  webhooks,
})

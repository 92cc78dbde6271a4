import { createHmac } from 'node:crypto'
import type { Services } from './functions-and-insights.ts'
import { OTHER_USER_ID, type Provisioned, USER_ID } from './provision.ts'

/** The content of `.onward/dev.json`: what scripts and clients need to use this Onward. */
export type DevFile = ReturnType<typeof devFile>

export function devFile(services: Services, gatewayUrl: string, keys: Provisioned, demoUrl: string, backend: string) {
  return {
    functions_url: services.functionsUrl,
    insights_url: services.insightsUrl,
    console_url: `${gatewayUrl}/console`,
    mcp_url: `${gatewayUrl}/mcp`,
    functions_admin_url: services.functionsAdminUrl,
    insights_admin_url: services.insightsAdminUrl,
    docs_url: `${services.functionsUrl}/docs`,
    admin_token: keys.admin_token,
    app_key: keys.app_key,
    app_secret: keys.app_secret,
    published_app_key: keys.published_app_key,
    published_app_secret: keys.published_app_secret,
    user_id: USER_ID,
    other_user_id: OTHER_USER_ID,
    partner_api_key: keys.partner_api_key,
    demo_url: demoUrl,
    demo_api_key: keys.demo_api_key,
    workspace_id: keys.workspace_id,
    backend,
  }
}

/** The content of `.onward/dev.env`: the environment variables that the clients and the command line read. */
export function environment(dev: DevFile): string {
  return `ONWARD_BASE_URL=${dev.functions_url}
ONWARD_APP_KEY=${dev.app_key}
ONWARD_APP_SECRET=${dev.app_secret}
ONWARD_INSIGHTS_URL=${dev.insights_url}
ONWARD_API_KEY=${dev.partner_api_key}
ONWARD_CONSOLE_URL=${dev.console_url}
`
}

type SignInLinks = { readonly console: string; readonly mcp: string }

/** The last output of `npm start`: URLs, keys and commands to try. Each link works once: for the console, and for MCP clients. */
export function summary(dev: DevFile, links: SignInLinks): string {
  const caller = callerOf(dev, USER_ID)
  return `
Onward is running.

  functions (area A)   ${dev.functions_url}
  insights  (area B)   ${dev.insights_url}
  console              ${dev.console_url}   sign in once with ${links.console}
  API reference        ${dev.docs_url}
  admin APIs           ${dev.functions_admin_url}  ${dev.insights_admin_url}   token ${dev.admin_token}
  MCP server           ${dev.mcp_url}/${dev.app_key}   add this URL to Claude Code, Cursor, VS Code …
                       sign in as ${USER_ID} once with ${links.mcp}
  demo app             ${dev.demo_url}   API key ${dev.demo_api_key}
  App-Key              ${dev.app_key}
  application secret   ${dev.app_secret}
  api-key (area B)     ${dev.partner_api_key}
  published clients    App-Key ${dev.published_app_key}
                       secret  ${dev.published_app_secret}
  users                ${USER_ID} (address book connected), ${OTHER_USER_ID} (nothing connected)

All of this is also in .onward/dev.json, and what a program needs is in .onward/dev.env. Try:

  curl -s ${dev.functions_url}/functions/addressbook-list-contacts/call -X POST ${caller} -H 'Content-Type: application/json' -d '{"page_size": 3}'

  curl -s ${dev.functions_url}/functions/predict -X POST ${caller} -H 'Content-Type: application/json' -d '{"prompt": "add Ada with email ada@example.com to my contacts", "predict_arguments": true}'

  curl -s '${dev.insights_url}/partners/api/insights/users/${USER_ID}/tasks/?app_key=${dev.app_key}' -H 'api-key: ${dev.partner_api_key}'

To connect an account in the browser, open the login_url in the output of this command. Enter the URL and the API key of the demo app:

  curl -s ${dev.functions_url}/apps/addressbook/get -X POST ${callerOf(dev, OTHER_USER_ID)}

Ctrl-C stops Onward. npm start -- --fresh deletes its data and starts again.
`
}

/** The headers of a request on behalf of a user, for curl. */
function callerOf({ app_key, app_secret }: DevFile, userId: string): string {
  const hash = createHmac('sha256', app_secret).update(userId).digest('hex')
  return `-H 'App-Key: ${app_key}' -H 'User-ID: ${userId}' -H 'Hash: ${hash}'`
}

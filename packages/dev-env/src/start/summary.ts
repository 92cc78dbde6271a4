import { createHmac } from 'node:crypto'
import type { Services } from './functions-and-insights.ts'
import { OTHER_USER_ID, type Provisioned, USER_ID } from './provision.ts'

/** The content of `.onward/dev.json`: what scripts and clients need to use this Onward. */
export type DevFile = ReturnType<typeof devFile>

/**
 * `url` is the address of the gateway on this machine, which serves both areas. What a browser or an MCP client opens is at the public URL,
 * because both refuse another address than the one of the links and the sign-in.
 */
export function devFile(url: string, services: Services, keys: Provisioned, demoUrl: string, backend: string) {
  return {
    functions_url: url,
    insights_url: url,
    console_url: `${services.publicUrl}/console`,
    mcp_url: `${services.publicUrl}/mcp`,
    functions_admin_url: services.functionsAdminUrl,
    insights_admin_url: services.insightsAdminUrl,
    docs_url: `${services.publicUrl}/docs`,
    admin_token: keys.admin_token,
    app_key: keys.app_key,
    app_secret: keys.app_secret,
    published_app_key: keys.published_app_key,
    published_app_secret: keys.published_app_secret,
    user_id: USER_ID,
    user_hash: createHmac('sha256', keys.app_secret).update(USER_ID).digest('hex'),
    other_user_id: OTHER_USER_ID,
    partner_api_key: keys.partner_api_key,
    demo_url: demoUrl,
    demo_api_key: keys.demo_api_key,
    workspace_id: keys.workspace_id,
    backend,
  }
}

/** The content of `.onward/dev.env`: variables for a shell, for programs that use the clients, and for the command line. */
export function environment(dev: DevFile): string {
  return `ONWARD_BASE_URL=${dev.functions_url}
ONWARD_APP_KEY=${dev.app_key}
ONWARD_APP_SECRET=${dev.app_secret}
ONWARD_USER_ID=${dev.user_id}
ONWARD_HASH=${dev.user_hash}
ONWARD_INSIGHTS_URL=${dev.insights_url}
ONWARD_API_KEY=${dev.partner_api_key}
ONWARD_CONSOLE_URL=${dev.console_url}
ONWARD_DOCS_URL=${dev.docs_url}
ONWARD_MCP_URL=${dev.mcp_url}/${dev.app_key}
ONWARD_DEMO_URL=${dev.demo_url}
ONWARD_DEMO_API_KEY=${dev.demo_api_key}
`
}

type SignInLinks = { readonly console: string; readonly mcp: string }

/** The last lines of `npm start`. Each link works once. */
export function summary(dev: DevFile, links: SignInLinks): string {
  return `
Onward is running at ${dev.functions_url}. Data and keys are kept; npm start -- --fresh deletes them. Ctrl-C stops it.
  console   ${links.console}
  agents    open ${links.mcp} within 10 minutes, then add ${dev.mcp_url}/${dev.app_key} to Claude Code, Cursor, VS Code …
  call      . .onward/dev.env && ${CALL}
  keys      .onward/dev.env, for shells and programs; .onward/dev.json, with the admin token. API reference: ${dev.docs_url}
`
}

const CALL = [
  'curl -s $ONWARD_BASE_URL/functions/addressbook-list-contacts/call',
  '-H "App-Key: $ONWARD_APP_KEY" -H "User-ID: $ONWARD_USER_ID" -H "Hash: $ONWARD_HASH"',
  '-d page_size=2',
].join(' ')

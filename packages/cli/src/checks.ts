import { ApiError, Onward, OnwardInsights } from '@onward/client'
import { listApplications, listWorkspaces } from '@onward/contract'
import { adminClient, send } from '@onward/contract-client'
import { CLIENT_OPTIONS } from './clients.ts'
import { describeHolder, openConsole, readHolder } from './console.ts'
import type { Profile } from './profiles.ts'

/** A request that shows whether a service accepts a credential. `send` returns the holder of a token. */
export type Check = { readonly service: string; readonly url: string; readonly send: () => Promise<unknown> }

const TIMEOUT_MS = 10_000
/** Requests of area A need a user. A user that only lists functions is not stored. */
const USER_ID = 'onward-login'

/** Returns a check for each credential that a profile has, with the address that it is for. Throws a TypeError if an address is not a URL. */
export function checksOf(profile: Profile): Check[] {
  const { functions_url, insights_url, app_key: appKey, app_secret: appSecret, api_key: apiKey, admin_token: token } = profile
  const { console_url, token: consoleToken } = profile
  const options = { ...CLIENT_OPTIONS, timeout: TIMEOUT_MS, maxRetries: 0 }
  const checks: Check[] = []
  if (functions_url !== undefined && appKey !== undefined && appSecret !== undefined) {
    const user = new Onward({ ...options, baseUrl: functions_url, appKey, appSecret }).forUser(USER_ID)
    checks.push({ service: 'functions (area A)', url: functions_url, send: () => user.functions.list({ pageSize: 1 }).firstPage() })
  }
  if (insights_url !== undefined && apiKey !== undefined) {
    const insights = new OnwardInsights({ ...options, baseUrl: insights_url, apiKey })
    checks.push({ service: 'insights (area B)', url: insights_url, send: () => acceptsKey(insights) })
  }
  if (console_url !== undefined && consoleToken !== undefined) {
    const console = openConsole({ url: console_url, token: consoleToken, timeoutMs: TIMEOUT_MS })
    checks.push({ service: 'console', url: console_url, send: async () => describeHolder(await readHolder(console)) })
  }
  for (const [name, endpoint] of [
    ['functions', listApplications],
    ['insights', listWorkspaces],
  ] as const) {
    const url = profile[`${name}_admin_url`]
    if (url === undefined || token === undefined) continue
    const target = adminClient({ url, token, timeoutMs: TIMEOUT_MS })
    checks.push({ service: `${name} (admin)`, url, send: () => send(target, endpoint as typeof listWorkspaces) })
  }
  return checks
}

/** A key without the scope of the request is a valid key. */
async function acceptsKey({ subscriptions }: OnwardInsights): Promise<void> {
  try {
    await subscriptions.list({ pageSize: 1 }).firstPage()
  } catch (err) {
    if (!(err instanceof ApiError && err.code === 'scope_required')) throw err
  }
}

import { nearestAll, Refusal } from '@onward/runtime'
import { selectAccounts } from '../db/connected-accounts.ts'
import type { McpParts } from './parts.ts'
import { askToOpen, openUrlResult, type ToolResult, textResult } from './results.ts'
import type { SearchInput } from './search-tools.ts'
import { mayConnect } from './tools.ts'
import type { Visit } from './visit.ts'

/** Returns whether the user has connected an app, and if not, or to connect it again, a link to our page. */
export async function connectResult(
  parts: McpParts,
  { token, caller, requestId, loginUrl, opensUrls }: Visit,
  { app: name, reconnect }: SearchInput['connect_account'],
): Promise<ToolResult> {
  const { functions } = parts.catalog.current
  const app = functions.app(name.toLowerCase())
  const apps = functions.apps.filter((each) => mayConnect(token, each)).map((each) => each.name)
  if (app === undefined || !apps.includes(app.name)) {
    throw new Refusal('app_not_found', `there is no app ${JSON.stringify(name)}`, [], { suggestions: nearestAll(name, apps) })
  }
  const ids = { requestId, callId: undefined }
  if (!app.needsAccount) return textResult({ app: app.name, status: 'needs_no_account' }, ids)
  const accounts = await selectAccounts(parts.db, caller.appKey, { userId: caller.userId, app: app.name })
  const usable = accounts.some(({ status }) => status !== 'reconnect_required')
  if (usable && !reconnect) {
    return textResult({ app: app.name, status: 'connected', accounts: accounts.map(({ displayName }) => displayName) }, ids)
  }
  const url = loginUrl(app)
  if (opensUrls) return openUrlResult(url, `Connect an account of ${app.title}`)
  return textResult({ app: app.name, status: 'not_connected', login_url: url, what_to_do: askToOpen(url) }, ids)
}

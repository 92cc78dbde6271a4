import { noApplication } from '@onward/access'
import { listApplicationMcpTokens, revokeApplicationMcpToken } from '@onward/contract'
import { isUuid, Refusal, writeCursor } from '@onward/runtime'
import { applicationExists } from '../../db/applications.ts'
import { deleteMcpToken, selectMcpTokens } from '../../db/mcp-tokens.ts'
import { readDigests } from '../../served-applications.ts'
import { readCallIdCursor } from '../calls.ts'
import { presentToken } from '../mcp-tokens.ts'
import { route } from '../route.ts'

export const listApplicationMcpTokensRoute = route(listApplicationMcpTokens, async (ctx, { params: { app_key: appKey }, query }) => {
  if (!(await applicationExists(ctx.db, appKey))) throw noApplication()
  const before = readCallIdCursor(query._cursor)
  const rows = await selectMcpTokens(ctx.db, { appKey, userId: query.user_id }, await readDigests(ctx, appKey), before, query.page_size + 1)
  const page = rows.slice(0, query.page_size)
  const last = page.at(-1)
  return {
    tokens: page.map((token) => ({ ...presentToken(token), user_id: token.userId })),
    _cursor: rows.length > page.length && last !== undefined ? writeCursor([last.id]) : null,
  }
})

export const revokeApplicationMcpTokenRoute = route(revokeApplicationMcpToken, async (ctx, { params: { app_key: appKey, id } }) => {
  if (!(await applicationExists(ctx.db, appKey))) throw noApplication()
  if (!isUuid(id) || !(await deleteMcpToken(ctx.db, { appKey }, id))) {
    throw new Refusal('mcp_token_not_found', 'the application has no such MCP token')
  }
  return { success: true as const }
})

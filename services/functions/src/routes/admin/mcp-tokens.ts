import { listApplicationMcpTokens, revokeApplicationMcpToken } from '@onward/contract'
import { cutPage, isUuid, Refusal } from '@onward/runtime'
import { requireApplication } from '../../db/applications.ts'
import { deleteMcpToken, selectMcpTokens } from '../../db/mcp-tokens.ts'
import { readDigests } from '../../served-applications.ts'
import { readCallIdCursor } from '../calls.ts'
import { presentToken } from '../mcp-tokens.ts'
import { route } from '../route.ts'

export const listApplicationMcpTokensRoute = route(listApplicationMcpTokens, async (ctx, { params: { app_key: appKey }, query }) => {
  await requireApplication(ctx.db, appKey)
  const before = readCallIdCursor(query._cursor)
  const rows = await selectMcpTokens(ctx.db, { appKey, userId: query.user_id }, await readDigests(ctx, appKey), before, query.page_size + 1)
  const { page, _cursor } = cutPage(rows, query.page_size, ({ id }) => [id])
  return { tokens: page.map((token) => ({ ...presentToken(token), user_id: token.userId })), _cursor }
})

export const revokeApplicationMcpTokenRoute = route(revokeApplicationMcpToken, async (ctx, { params: { app_key: appKey, id } }) => {
  await requireApplication(ctx.db, appKey)
  if (!isUuid(id) || !(await deleteMcpToken(ctx.db, { appKey }, id))) {
    throw new Refusal('mcp_token_not_found', 'the application has no such MCP token')
  }
  return { success: true as const }
})

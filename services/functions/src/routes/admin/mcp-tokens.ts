import { DAY_MS, listApplicationMcpTokens, readMcpTokenUsage, revokeApplicationMcpToken } from '@onward/contract'
import { cutPage, isUuid, Refusal, readTime, refuseProblems } from '@onward/runtime'
import { requireApplication } from '../../db/applications.ts'
import { countTokenCalls } from '../../db/calls.ts'
import { deleteMcpToken, findTokenUser, selectMcpTokens } from '../../db/mcp-tokens.ts'
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

const DEFAULT_DAYS = 30
const MAX_DAYS = 100

export const readMcpTokenUsageRoute = route(readMcpTokenUsage, async (ctx, { params: { app_key: appKey, id }, query }) => {
  await requireApplication(ctx.db, appKey)
  const since = readTime('since', query.since) ?? new Date(Date.now() - DEFAULT_DAYS * DAY_MS)
  refuseProblems(+since < Date.now() - MAX_DAYS * DAY_MS ? [`since: must be at most ${MAX_DAYS} days ago`] : [])
  const userId = isUuid(id) ? await findTokenUser(ctx.db, appKey, id) : undefined
  if (userId === undefined) throw unknownToken()
  return { since: since.toISOString(), ...(await countTokenCalls(ctx.slowDb, { appKey, userId }, id, since)) }
})

export const revokeApplicationMcpTokenRoute = route(revokeApplicationMcpToken, async (ctx, { params: { app_key: appKey, id } }) => {
  await requireApplication(ctx.db, appKey)
  if (!isUuid(id) || !(await deleteMcpToken(ctx.db, { appKey }, id))) throw unknownToken()
  return { success: true as const }
})

function unknownToken(): Refusal {
  return new Refusal('mcp_token_not_found', 'the application has no such MCP token')
}

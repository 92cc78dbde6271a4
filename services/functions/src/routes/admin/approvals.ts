import { decideApplicationApproval, listApplicationApprovals, readApproval, readApprovalBackground } from '@onward/contract'
import { backgroundOf } from '../../approval/background.ts'
import { requireApplication } from '../../db/applications.ts'
import { presentApproval } from '../../policy/approvals.ts'
import { approvalsOf, decideAs, requireFound } from '../approvals.ts'
import { route } from '../route.ts'

export const listApplicationApprovalsRoute = route(listApplicationApprovals, async (ctx, { params: { app_key: appKey }, query }) => {
  await requireApplication(ctx.db, appKey)
  const filter = { appKey, userId: query.user_id, functionName: query.function_name, state: query.state }
  return await approvalsOf(ctx, filter, query._cursor, query.page_size)
})

export const readApprovalRoute = route(readApproval, async (ctx, { params, query }) => {
  const found = await requireFound(ctx, { workspaceId: query.workspace_id }, params.id)
  return { ...presentApproval(ctx.sealer, ctx.catalog.current.functions, found), app_key: found.appKey }
})

export const readApprovalBackgroundRoute = route(readApprovalBackground, async (ctx, { params, query }) => {
  return await backgroundOf(ctx, await requireFound(ctx, { workspaceId: query.workspace_id }, params.id))
})

export const decideApplicationApprovalRoute = route(
  decideApplicationApproval,
  async (ctx, { params: { app_key: appKey, id }, body, actor, workspaceId }) => {
    await requireApplication(ctx.db, appKey)
    return await decideAs(ctx, { appKey }, id, body, actor, workspaceId)
  },
)

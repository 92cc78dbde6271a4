import { getWorkspaceAttention } from '@onward/contract'
import { listApplications } from '../../db/applications.ts'
import { countNearLimit, MAX_USERS } from '../../db/limit-preview.ts'
import { listFailing } from '../../db/subscriptions.ts'
import { adminRoute, requireWorkspace } from '../route.ts'

const MAX_SUBSCRIPTIONS = 100

export const getWorkspaceAttentionRoute = adminRoute(getWorkspaceAttention, async (ctx, { params }) => {
  const workspace = await requireWorkspace(ctx.db, params.workspace_id)
  const appKeys = (await listApplications(ctx.db, workspace.id)).map(({ appKey }) => appKey)
  const [{ users, near, over }, subscriptions] = await Promise.all([
    countNearLimit(ctx.slowDb, workspace, appKeys),
    listFailing(ctx.db, workspace.id, MAX_SUBSCRIPTIONS),
  ])
  return {
    users_near: near,
    users_over: over,
    capped: users === MAX_USERS,
    subscriptions: subscriptions.map((each) => ({
      subscription_id: each.id,
      callback_url: each.callbackUrl,
      failing_since: each.failingSince?.toISOString() ?? null,
      disabled_at: each.disabledAt?.toISOString() ?? null,
    })),
  }
})

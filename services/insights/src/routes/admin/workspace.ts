import * as endpoints from '@onward/contract'
import { listApplications } from '../../db/applications.ts'
import { listWorkspaceKeys } from '../../db/workspace-keys.ts'
import { newestDays } from '../../rules/period.ts'
import { adminRoute, requireWorkspace } from '../route.ts'
import { shownKey } from './workspace-keys.ts'

export const getWorkspaceRoute = adminRoute(endpoints.getWorkspace, async (ctx, { params }) => {
  const { id, name, defaultLimit, bulkLimit, rateLimit, createdAt } = await requireWorkspace(ctx.db, params.workspace_id)
  const keys = await listWorkspaceKeys(ctx.db, id)
  return {
    workspace_id: id,
    name,
    default_limit: defaultLimit,
    bulk_limit: bulkLimit,
    rate_limit: rateLimit,
    created_at: createdAt.toISOString(),
    keys: keys.map(shownKey),
  }
})

export const listApplicationsRoute = adminRoute(endpoints.listInsightsApplications, async (ctx, { workspaceId }) => {
  const applications = await listApplications(ctx.db, workspaceId)
  return {
    applications: applications.map(({ appKey, workspaceId, limitPeriods, onLimit, embedOrigins, createdAt }) => ({
      app_key: appKey,
      workspace_id: workspaceId,
      limit_period: newestDays(limitPeriods),
      on_limit: onLimit,
      embed_origins: [...embedOrigins],
      created_at: createdAt.toISOString(),
    })),
  }
})

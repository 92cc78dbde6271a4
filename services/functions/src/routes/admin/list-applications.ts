import { listApplications } from '@onward/contract'
import { selectApplications } from '../../db/applications.ts'
import { route } from '../route.ts'

export const listApplicationsRoute = route(listApplications, async (ctx, { query }) => {
  const applications = await selectApplications(ctx.db, query.workspace_id)
  return {
    applications: applications.map(({ appKey, workspaceId, name, allowedOrigins, allowedRedirects, learnFromUse, createdAt }) => ({
      app_key: appKey,
      workspace_id: workspaceId,
      name,
      allowed_origins: [...allowedOrigins],
      allowed_redirects: [...allowedRedirects],
      learn_from_use: learnFromUse,
      created_at: createdAt.toISOString(),
    })),
  }
})

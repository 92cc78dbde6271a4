import { listApplications } from '@onward/contract'
import { selectApplications } from '../../db/applications.ts'
import { refuseNul } from '../refuse-nul.ts'
import { route } from '../route.ts'

export const listApplicationsRoute = route(listApplications, async (ctx, { query }) => {
  refuseNul({ workspace_id: query.workspace_id })
  const applications = await selectApplications(ctx.db, query.workspace_id)
  return {
    applications: applications.map(({ appKey, workspaceId, name, createdAt }) => ({
      app_key: appKey,
      workspace_id: workspaceId,
      name,
      created_at: createdAt.toISOString(),
    })),
  }
})

import * as endpoints from '@onward/contract'
import { listPartners } from '../../db/partners.ts'
import { adminRoute } from './admin-route.ts'

export const listWorkspaces = adminRoute(endpoints.listWorkspaces, async (ctx) => {
  const partners = await listPartners(ctx.db)
  return {
    workspaces: partners.map(({ id, name, defaultLimit, createdAt }) => ({
      workspace_id: id,
      name,
      default_limit: defaultLimit,
      created_at: createdAt.toISOString(),
    })),
  }
})

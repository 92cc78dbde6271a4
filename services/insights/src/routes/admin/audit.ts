import { readAudit } from '@onward/contract'
import { pageOfAudit } from '@onward/runtime'
import { adminRoute } from '../route.ts'

export const readAuditRoute = adminRoute(readAudit, (ctx, { query, workspaceId }) => pageOfAudit(ctx.slowDb, query, workspaceId))

import { readAuditPage } from '@onward/access'
import { readAudit } from '@onward/contract'
import { adminRoute } from '../route.ts'

export const readAuditRoute = adminRoute(readAudit, (ctx, { query, workspaceId }) => readAuditPage(ctx.slowDb, query, workspaceId))

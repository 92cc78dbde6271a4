import { readAuditPage } from '@onward/access'
import { readAudit } from '@onward/contract'
import { route } from '../route.ts'

export const readAuditRoute = route(readAudit, (ctx, { query, workspaceId }) => readAuditPage(ctx.slowDb, query, workspaceId))

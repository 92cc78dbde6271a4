import { readAudit } from '@onward/contract'
import { pageOfAudit } from '@onward/runtime'
import { route } from '../route.ts'

export const readAuditRoute = route(readAudit, (ctx, { query, workspaceId }) => pageOfAudit(ctx.slowDb, query, workspaceId))

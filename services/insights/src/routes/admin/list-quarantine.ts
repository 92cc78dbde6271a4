import * as endpoints from '@onward/contract'
import { readCursor, writeCursor } from '@onward/runtime'
import { selectQuarantine } from '../../db/quarantine.ts'
import { adminRoute } from './admin-route.ts'

export const listQuarantine = adminRoute(endpoints.listQuarantine, async (ctx, { query }) => {
  const { reason, app_key: appKey, page_size: size, _cursor } = query
  const before = readCursor(_cursor, ['number'])?.[0] ?? null
  const rows = await selectQuarantine(ctx.db, { reason, appKey }, before, size + 1)
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return {
    quarantined: page.map(({ id, createdAt, appKey: app_key, reason: why, jobId, event }) => ({
      ...{ id, created_at: createdAt.toISOString(), app_key, reason: why, job_id: jobId, event },
    })),
    _cursor: rows.length > size && last !== undefined ? writeCursor([last.id]) : null,
  }
})

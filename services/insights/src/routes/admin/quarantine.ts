import * as endpoints from '@onward/contract'
import { cutPage, Refusal, readCursor, writeCursor } from '@onward/runtime'
import { dropQuarantine, readQuarantine, selectQuarantine } from '../../db/quarantine.ts'
import { replayQuarantine } from '../../maintenance/replay-quarantine.ts'
import { adminRoute } from '../route.ts'

const REPLAY_PAGE = 200

export const listQuarantineRoute = adminRoute(endpoints.listQuarantine, async (ctx, { query }) => {
  const { reason, app_key: appKey, page_size: size } = query
  const before = readCursor(query._cursor, ['number'])?.[0] ?? null
  const rows = await selectQuarantine(ctx.slowDb, { reason, appKey }, before, size + 1)
  const { page, _cursor } = cutPage(rows, size, ({ id }) => [id])
  return {
    quarantined: page.map((entry) => ({
      id: entry.id,
      created_at: entry.createdAt.toISOString(),
      app_key: entry.appKey,
      reason: entry.reason,
      job_id: entry.jobId,
      event: entry.event,
    })),
    _cursor,
  }
})

export const replayQuarantineRoute = adminRoute(endpoints.replayQuarantine, async (ctx, { body: { ids, _cursor } }) => {
  if (ids !== undefined) return { ...(await replayQuarantine(ctx, await readQuarantine(ctx.db, ids))), _cursor: null }
  const entries = await selectQuarantine(ctx.slowDb, {}, readCursor(_cursor, ['number'])?.[0] ?? null, REPLAY_PAGE)
  const last = entries.at(-1)
  const next = entries.length === REPLAY_PAGE && last !== undefined ? writeCursor([last.id]) : null
  return { ...(await replayQuarantine(ctx, entries)), _cursor: next }
})

export const dropQuarantinedRoute = adminRoute(endpoints.dropQuarantined, async (ctx, { params: { id } }) => {
  const deleted = /^[1-9]\d{0,14}$/.test(id) && (await dropQuarantine(ctx.db, Number(id)))
  if (!deleted) throw new Refusal('not_found', 'there is no entry with this id in quarantine')
  return { success: true as const }
})

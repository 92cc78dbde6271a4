import * as endpoints from '@onward/contract'
import { readCursor, writeCursor } from '@onward/runtime'
import { readQuarantine, selectQuarantine } from '../../db/quarantine.ts'
import { replayQuarantined } from '../../repair/replay-quarantined.ts'
import { adminRoute } from './admin-route.ts'

const PAGE = 200

export const replayQuarantine = adminRoute(endpoints.replayQuarantine, async (ctx, { body: { ids, _cursor } }) => {
  if (ids !== undefined) return { ...(await replayQuarantined(ctx, await readQuarantine(ctx.db, ids))), _cursor: null }
  const kept = await selectQuarantine(ctx.db, {}, readCursor(_cursor, ['number'])?.[0] ?? null, PAGE)
  const last = kept.at(-1)
  return { ...(await replayQuarantined(ctx, kept)), _cursor: kept.length === PAGE && last !== undefined ? writeCursor([last.id]) : null }
})
